/** @check */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import { tea } from "../cli/terminal";
import { post, type OrderAnswer } from "../idempotency/place";
import { startApp, type TestApp } from "../support/app";
import {
  administrate,
  createEmptyDatabase,
  endConnections,
  nameInRun,
  query,
} from "../support/database";
import { dumpOf } from "../support/dump";
import { eventually } from "../support/eventually";
import { send, type Answer } from "../support/raw-http";
import { serverUrl } from "../support/server-url";
import { startService } from "../support/service";
import { makeEndpoint } from "../webhooks/endpoint";
import { closeReceivers, startReceiver, type Receiver } from "../webhooks/receiver";

jest.setTimeout(60_000);

const run = promisify(execFile);

let app: TestApp;
let receiver: Receiver;
let secret: string;
let placed: Answer;
let tag: string;
const folders: string[] = [];

const order = (productId: number) => ({
  customerEmail: "ada@example.com",
  items: [{ productId, quantity: 2 }],
});
const terms = { key: "before-the-backup" };
let body: ReturnType<typeof order>;

beforeAll(async () => {
  app = await startApp({
    login: { failureLimit: 5 },
    webhooks: { privateAddresses: "loopback" },
  });
  receiver = await startReceiver();
  ({ secret } = await makeEndpoint(app, receiver.url, { types: ["order.placed"] }));
  body = order((await app.make.product()).id);
  placed = await post(app, body, terms);
  expect(placed.status).toBe(201);
  tag = (await app.http.get("/products")).headers.etag!;
  await app.http.post("/auth/login").send({ email: "nobody@example.com", password: "wrong" });
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
  await closeReceivers();
  await app.close();
});

/** A copy as PostgreSQL makes it, which has as little of the role's settings as a dump. */
async function copied(): Promise<string> {
  const name = nameInRun();
  await administrate(`ALTER DATABASE ${app.database.name} ALLOW_CONNECTIONS false`);
  await endConnections(app.database);
  await administrate(`CREATE DATABASE ${name} TEMPLATE ${app.database.name}`);
  await administrate(`ALTER DATABASE ${app.database.name} ALLOW_CONNECTIONS true`);
  return app.database.url.replace(app.database.name, name);
}

/** Where the pg_dump of the server's version or a newer one is; the embedded server comes without one. */
async function folderOfTools(): Promise<string | undefined> {
  const [{ major } = { major: 0 }] = await query<{ major: number }>(
    serverUrl(),
    "SELECT current_setting('server_version_num')::int / 10000 AS major",
  );
  for (const folder of ["", `/usr/lib/postgresql/${major}/bin/`]) {
    const { stdout } = await run(`${folder}pg_dump`, ["--version"]).catch(() => ({ stdout: "" }));
    if (Number(/ ([0-9]+)/.exec(stdout)?.[1]) >= major) return folder;
  }
  return undefined;
}

/** A dump and its restore by the commands of docs/operating.md. */
async function dumped(tools: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-restore-"));
  folders.push(folder);
  const file = path.join(folder, "tea-shop.dump");
  const { url } = await createEmptyDatabase();
  const leftOut = "--exclude-table-data=login_failures";
  const options = ["--format=custom", "--no-owner", leftOut, `--file=${file}`];
  await run(`${tools}pg_dump`, [...options, app.database.url]);
  await run(`${tools}pg_restore`, ["--no-owner", "--exit-on-error", `--dbname=${url}`, file]);
  return url;
}

const rowsOf = (url: string) =>
  dumpOf({ sql: (statement, values) => query(url, statement, values) });

/** Expects a service on the database to go on where the shop was. */
async function expectShop(url: string): Promise<void> {
  const settings = {
    JWT_SECRET: app.settings.tokens.secret,
    WEBHOOK_PRIVATE_ADDRESSES: "loopback",
  };
  const warned = await startService(url, { ...settings, DISPATCH: "off" });
  expect(warned.printed()).toMatch(/statement_timeout.*isolation.*search_path.*migrate up/s);
  warned.signal("SIGTERM");
  expect(await warned.ended).toEqual({ code: 0, signal: null });
  const migrated = await tea(["migrate", "up"], { environment: { DATABASE_URL: url } });
  expect(migrated).toMatchObject({ exitCode: 0, stdout: "The schema is up to date\n" });
  const before = receiver.requests.length;
  const service = await startService(url, settings);
  expect(service.printed()).not.toContain("migrate up");
  await eventually(() => receiver.requests.length > before);
  const told = receiver.requests[before]!;
  const event = new Webhook(secret).verify(told.body, told.headers as Record<string, string>);
  expect(event).toMatchObject({ type: "order.placed", data: { id: idOf(placed) } });
  const shop = { ...app, url: service.url };
  const repeated = await post(shop, body, terms);
  expect([repeated.status, repeated.body]).toEqual([201, placed.body]);
  expect(repeated.headers["idempotent-replayed"]).toBe("true");
  const next = await post(shop, body);
  expect([next.status, idOf(next)]).toEqual([201, idOf(placed) + 1]);
  const cached = await send(service.url, {
    method: "GET",
    path: "/products",
    headers: { "if-none-match": tag },
  });
  expect(cached.status).toBe(200);
  service.signal("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
}

const idOf = ({ body }: Answer): number => (body as OrderAnswer).id;

test("a shop goes on on a copy of its database, and on a dump where the server's pg_dump is at hand", async () => {
  const all = await rowsOf(app.database.url);
  expect(all.login_failures).not.toEqual([]);
  const copy = await copied();
  expect(await rowsOf(copy)).toEqual(all);
  await expectShop(copy);
  const tools = await folderOfTools();
  if (tools === undefined) return;
  const restored = await dumped(tools);
  expect(await rowsOf(restored)).toEqual({ ...all, login_failures: [] });
  await expectShop(restored);
});
