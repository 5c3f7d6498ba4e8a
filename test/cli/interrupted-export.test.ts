/** @check */

import { readdirSync } from "node:fs";
import path from "node:path";
import { startEmbeddedDatabase } from "../../src/local/embedded-database";
import { createDatabase, query } from "../support/database";
import { eventually } from "../support/eventually";
import { newDataDir, removeDataDir } from "../support/local-service";
import { startProcess, type TestProcess } from "../support/process";
import { besideTransaction } from "./beside";
import { useFolder } from "./folder";
import { tea } from "./terminal";

jest.setTimeout(60_000);

const MAIN = path.join(__dirname, "../../dist/cli/main.js");

const folder = useFolder();
const names = (): string[] => readdirSync(folder.path("."));

/** Exports orders to a file that exists, and calls `meanwhile` when the export has begun to write. */
async function midExport(
  url: string,
  env: Record<string, string>,
  meanwhile: (command: TestProcess) => Promise<void>,
): Promise<void> {
  await query(url, "INSERT INTO orders (customer_email, total_amount) VALUES ('e@example.com', 1)");
  const file = folder.write("orders.csv", "as it was");
  await besideTransaction(url, async (other) => {
    // The export waits for the items, when it has written the names of the columns.
    await other.query("LOCK TABLE order_items");
    const command = startProcess([MAIN, "orders", "export", file, "--force"], { env });
    await eventually(() => Promise.resolve(names().some((name) => name.endsWith(".partial"))));
    await meanwhile(command);
  });
  expect(names()).toEqual(["orders.csv"]);
  expect(folder.read("orders.csv")).toBe("as it was");
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "an export %s ends leaves the file",
  async (signal) => {
    const database = await createDatabase();
    await midExport(database.url, { DATABASE_URL: database.url }, async (command) => {
      command.signal(signal);
      expect(await command.ended).toEqual({ code: null, signal });
      expect(command.printed()).toBe("");
    });
    await database.drop();
  },
);

test("so does one from the embedded database, which is stopped in order", async () => {
  const dataDir = await newDataDir();
  const environment = { DATA_DIR: dataDir };
  const server = await startEmbeddedDatabase({ dataDir, durable: false });
  try {
    expect(await tea("migrate up", { environment })).toMatchObject({ exitCode: 0 });
    await midExport(server.url(), environment, async (command) => {
      command.signal("SIGINT");
      expect(await command.ended).toEqual({ code: 130, signal: null });
    });
  } finally {
    await server.stop();
    await removeDataDir(dataDir);
  }
});
