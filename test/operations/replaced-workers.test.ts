/** @check */

import { once } from "node:events";
import { Agent } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { isAlive } from "../../src/embedded-postgres/system";
import { createDatabase, type TestDatabase } from "../support/database";
import { send } from "../support/raw-http";
import { spawnService, startService, type Service } from "../support/service";

jest.setTimeout(60_000);

const WORKERS = 2;

let database: TestDatabase;
let service: Service;
beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { WEB_CONCURRENCY: String(WORKERS) });
  await further("listening", WORKERS);
});
afterAll(async () => {
  service.signal("SIGTERM");
  await service.ended;
  await database.drop();
});

const seen = new Map<string, number>();

/** The next entries of a message, after those that tests have waited for before. */
async function further(message: string, count = 1) {
  const before = seen.get(message) ?? 0;
  seen.set(message, before + count);
  return (await service.logs(message, before + count)).slice(before);
}

/** The process numbers of the workers that have listened, those that have ended among them. */
const listened = async (): Promise<number[]> =>
  (await service.logs("listening")).map(({ pid }) => pid!);

const alive = async (): Promise<number[]> => (await listened()).filter(isAlive);

test("workers that die are replaced, SIGHUP replaces all without a failed request", async () => {
  const [, second] = await alive();
  process.kill(second!, "SIGKILL");
  expect(await further("a worker died")).toMatchObject([
    { worker: second, code: null, signal: "SIGKILL" },
  ]);
  await further("listening");
  let rolled = false;
  const load = Array.from({ length: 2 }, async (_, index) => {
    const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 });
    const statuses = [];
    while (!rolled) {
      const { status } = await send(service.url, { method: "GET", path: "/products" }, agent);
      statuses.push(status);
    }
    agent.destroy();
    return statuses;
  });
  service.signal("SIGHUP");
  await further("listening", WORKERS);
  await further("rolled all workers");
  rolled = true;
  const statuses = (await Promise.all(load)).flat();
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(new Set(await listened()).size).toBe(5);
});

test("workers that die all at once are replaced", async () => {
  for (const pid of await alive()) process.kill(pid, "SIGKILL");
  await further("a worker died", WORKERS);
  // As nobody listened for a moment, any free port may be another one.
  const [third] = await further("listening", WORKERS);
  expect(await alive()).toHaveLength(WORKERS);
  expect((await fetch(`${third!.address}/products`)).status).toBe(200);
});

test("a service whose workers can't listen ends with exit code 1", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const settings = { WEB_CONCURRENCY: String(WORKERS), PORT: String(port) };
  const { ended } = spawnService(database.url, settings);
  expect(await ended).toEqual({ code: 1, signal: null });
  taken.close();
});
