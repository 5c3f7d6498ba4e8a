import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { isAlive } from "../../src/embedded-postgres/processes";
import { createDatabase, type TestDatabase } from "../support/database";
import { spawnService, startService, type Service } from "../support/service";

jest.setTimeout(60_000);

const WORKERS = 2;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const start = (): Promise<Service> =>
  startService(database.url, { WEB_CONCURRENCY: String(WORKERS) });

/** The process numbers of the workers, as soon as so many have listened, those that have ended among them. */
const listening = async (service: Service, count = WORKERS): Promise<number[]> =>
  (await service.logs("listening", count)).map(({ pid }) => pid!);

test("workers that die are replaced, SIGHUP replaces all without a failed request, SIGTERM ends", async () => {
  const service = await start();
  const [, second] = await listening(service);

  process.kill(second!, "SIGKILL");
  expect(await service.logs("a worker died")).toMatchObject([{ worker: second }]);
  await listening(service, 3);

  let rolled = false;
  const load = Array.from({ length: 4 }, async () => {
    const statuses = [];
    while (!rolled) statuses.push((await fetch(`${service.url}/products`)).status);
    return statuses;
  });
  service.signal("SIGHUP");
  const pids = await listening(service, 5);
  await service.logs("rolled all workers");
  rolled = true;
  const statuses = (await Promise.all(load)).flat();
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(new Set(pids).size).toBe(5);

  await expectToEndInOrder(service);
});

test("a worker that dies while others are rolled is replaced once", async () => {
  const service = await start();
  const [first, second] = await listening(service);
  service.signal("SIGHUP");
  await listening(service, 3);
  // Whichever is rolled first, the other is to go while its roll waits.
  process.kill(second!, "SIGKILL");
  process.kill(first!, "SIGKILL");
  await service.logs("rolled all workers");
  await listening(service, 4);

  service.signal("SIGHUP");
  await service.logs("rolled all workers", 2);
  expect((await listening(service, 6)).filter(isAlive)).toHaveLength(WORKERS);
  await expectToEndInOrder(service);
});

test("workers that die all at once are replaced", async () => {
  const service = await start();
  for (const pid of await listening(service)) process.kill(pid, "SIGKILL");
  await service.logs("a worker died", 2);
  expect((await listening(service, 4)).filter(isAlive)).toHaveLength(WORKERS);
  // As nobody listened for a moment, any free port may be another one.
  const [, , third] = await service.logs("listening", 4);
  expect((await fetch(`${third!.address}/products`)).status).toBe(200);
  await expectToEndInOrder(service);
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

async function expectToEndInOrder(service: Service): Promise<void> {
  service.signal("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
}
