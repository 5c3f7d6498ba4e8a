import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { isAlive } from "../../src/embedded-postgres/processes";
import { createDatabase, type TestDatabase } from "../support/database";

jest.setTimeout(60_000);

const main = path.join(__dirname, "../../dist/main.js");

interface Line {
  readonly msg: string;
  readonly pid?: number;
  readonly worker?: number;
  readonly address?: string;
}

/** A service of two workers, and what it logs. */
class Service {
  private readonly lines: Line[] = [];
  private readonly waiting = new Set<() => void>();
  readonly exit: Promise<unknown[]>;

  constructor(readonly process: ChildProcess) {
    this.exit = once(process, "exit");
    if (!process.stdout) throw new Error("Nothing to read from");
    createInterface(process.stdout).on("line", (line) => {
      this.lines.push(JSON.parse(line) as Line);
      for (const look of this.waiting) look();
    });
  }

  /** Resolves with the lines of a message as soon as there are `count`. */
  async logged(message: string, count: number): Promise<Line[]> {
    for (;;) {
      const found = this.lines.filter(({ msg }) => msg === message);
      if (found.length >= count) return found;
      await new Promise<void>((resolve) => {
        const look = (): void => {
          this.waiting.delete(look);
          resolve();
        };
        this.waiting.add(look);
      });
    }
  }
}

let database: TestDatabase;
const services: Service[] = [];

beforeAll(async () => {
  database = await createDatabase();
});

afterAll(async () => {
  for (const { process } of services) process.kill("SIGKILL");
  await database.drop();
});

function start(port = 0): Service {
  const child = spawn(process.execPath, [main], {
    env: {
      DATABASE_URL: database.url,
      JWT_SECRET: randomBytes(32).toString("hex"),
      WEB_CONCURRENCY: "2",
      PORT: String(port),
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const service = new Service(child);
  services.push(service);
  return service;
}

test("workers that die are replaced, SIGHUP replaces all without a failed request, SIGTERM ends", async () => {
  const service = start();
  const [first, second] = await service.logged("listening", 2);
  const address = first?.address ?? "";

  process.kill(second?.pid ?? 0, "SIGKILL");
  expect(await service.logged("a worker died", 1)).toMatchObject([{ worker: second?.pid }]);
  await service.logged("listening", 3);

  let rolled = false;
  const load = Array.from({ length: 4 }, async () => {
    const statuses = [];
    while (!rolled) statuses.push((await fetch(`${address}/products`)).status);
    return statuses;
  });
  service.process.kill("SIGHUP");
  const listening = await service.logged("listening", 5);
  await service.logged("rolled all workers", 1);
  rolled = true;
  const statuses = (await Promise.all(load)).flat();
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(new Set(listening.map(({ pid }) => pid)).size).toBe(5);

  service.process.kill("SIGTERM");
  expect(await service.exit).toEqual([0, null]);
});

test("a worker that dies while others are rolled is replaced once", async () => {
  const service = start();
  const [first, second] = await service.logged("listening", 2);
  service.process.kill("SIGHUP");
  await service.logged("listening", 3);
  // Whichever is rolled first, the other is to go while its roll waits.
  process.kill(second?.pid ?? 0, "SIGKILL");
  process.kill(first?.pid ?? 0, "SIGKILL");
  await service.logged("rolled all workers", 1);
  await service.logged("listening", 4);

  service.process.kill("SIGHUP");
  await service.logged("rolled all workers", 2);
  const pids = (await service.logged("listening", 6)).map(({ pid }) => pid ?? 0);
  expect(pids.filter(isAlive)).toHaveLength(2);
  service.process.kill("SIGTERM");
  expect(await service.exit).toEqual([0, null]);
});

test("workers that die all at once are replaced", async () => {
  const service = start();
  const workers = await service.logged("listening", 2);
  for (const { pid } of workers) process.kill(pid ?? 0, "SIGKILL");
  await service.logged("a worker died", 2);
  const listening = await service.logged("listening", 4);
  expect(listening.map(({ pid }) => pid ?? 0).filter(isAlive)).toHaveLength(2);
  expect((await fetch(`${listening[2]?.address}/products`)).status).toBe(200);
  service.process.kill("SIGTERM");
  expect(await service.exit).toEqual([0, null]);
});

test("a service whose workers can't listen ends with exit code 1", async () => {
  const taken = createServer().listen(0);
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  expect(await start(port).exit).toEqual([1, null]);
  taken.close();
});
