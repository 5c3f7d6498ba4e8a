import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { freePort } from "../../src/embedded-postgres/system";
import {
  databaseProcess,
  login,
  newDataDir,
  removeDataDir,
  startLocalService,
} from "../support/local-service";

jest.setTimeout(60_000);

let dataDir: string;
beforeAll(async () => {
  dataDir = await newDataDir();
});
afterAll(() => removeDataDir(dataDir));

test("starts on nothing, shows the demo catalogue, names /docs, logs in, refuses a second service, and ends in order on Ctrl-C", async () => {
  const service = startLocalService(dataDir, {
    ...{ NODE_ENV: "production", KEEP_ALIVE_TIMEOUT: "620", PORT: String(await freePort()) },
  });
  const address = await service.listening;
  const answer = await fetch(`${address}/products`);
  expect(answer.headers.get("keep-alive")).toBe("timeout=618");
  const products = (await answer.json()) as { data: [] };
  expect(products.data.length).toBeGreaterThan(0);
  expect((await login(address, dataDir)).status).toBe(200);
  expect(service.printed()).toContain(`Docs       ${address}/docs`);
  const passkeys = await fetch(`${address}/graphql`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query: "mutation { startPasskeyLogin }" }),
  });
  expect(await passkeys.json()).toMatchObject({
    data: { startPasskeyLogin: { rpId: "localhost" } },
  });
  const second = startLocalService(dataDir);
  expect((await second.ended).code).toBe(1);
  expect(second.printed()).toContain(`already running on the data folder ${dataDir}`);
  expect((await fetch(`${address}/products`)).status).toBe(200);
  service.signal("SIGINT");
  expect((await service.ended).code).toBe(0);
  expect(service.printed()).toContain(
    JSON.parse(await readFile(path.join(dataDir, "administrator.json"), "utf8")).password,
  );
  expect(await databaseProcess(dataDir)).toBeUndefined();
  for (const secret of [
    "administrator.json",
    "jwt-secret",
    "postgres-password",
    "database-password",
  ]) {
    expect((await stat(path.join(dataDir, secret))).mode & 0o777).toBe(0o600);
  }
});
