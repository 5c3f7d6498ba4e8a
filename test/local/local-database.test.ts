import { withLocalDatabase } from "../../src/local/local-database";
import { query } from "../support/database";
import { databaseProcess, newDataDir, removeDataDir } from "../support/local-service";

jest.setTimeout(60_000);

describe("a command's database", () => {
  const encodingOf = async (databaseUrl: string): Promise<string | undefined> => {
    const [row] = await query<{ encoding: string }>(
      databaseUrl,
      "SELECT current_setting('server_encoding') AS encoding",
    );
    return row?.encoding;
  };

  test("is that of DATABASE_URL where it is set", async () => {
    const databaseUrl = "postgres://shop.example/tea";

    const settings = { migrations: { databaseUrl }, dataDir: "/nonexistent" };

    const used = await withLocalDatabase(settings, (url) => Promise.resolve(url));

    expect(used).toBe(databaseUrl);
  });

  test("else is the embedded one, which runs until the last user has gone", async () => {
    const dataDir = await newDataDir();
    const settings = { migrations: { databaseUrl: undefined }, dataDir };

    await withLocalDatabase(settings, async (outer) => {
      expect(await encodingOf(outer)).toBe("UTF8");
      await withLocalDatabase(settings, async (inner) => {
        expect(inner).toBe(outer);
        return Promise.resolve();
      });
      expect(await encodingOf(outer)).toBe("UTF8");
    });

    expect(await databaseProcess(dataDir)).toBeUndefined();
    await removeDataDir(dataDir);
  });
});
