/** @check */
import { mkdir, readFile, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { readPostmaster } from "../../src/embedded-postgres/postmaster";
import { databasePassword } from "../../src/local/secrets";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import {
  databaseProcess,
  login,
  newDataDir,
  removeDataDir,
  startLocalService,
  type LocalService,
} from "../support/local-service";

jest.setTimeout(60_000);

const body = async <T>(response: Response): Promise<T> => (await response.json()) as T;

describe("npm start with an embedded database", () => {
  let dataDir: string;
  let services: LocalService[];

  const start = (settings: Record<string, string> = {}): LocalService => {
    const service = startLocalService(dataDir, settings);
    services.push(service);
    return service;
  };
  const kill = async (service: LocalService): Promise<void> => {
    service.signal("SIGKILL");
    await service.ended;
  };
  const addCategory = async (address: string): Promise<void> => {
    const { access_token } = await body<{ access_token: string }>(await login(address, dataDir));
    const response = await fetch(`${address}/categories`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${access_token}` },
      body: JSON.stringify({ name: "Kept across restarts" }),
    });
    expect(response.status).toBe(201);
  };
  const categories = async (address: string): Promise<string[]> =>
    (await body<{ name: string }[]>(await fetch(`${address}/categories`))).map(({ name }) => name);

  beforeAll(async () => {
    dataDir = await newDataDir();
    services = [];
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await kill(service);
  });
  afterAll(() => removeDataDir(dataDir));

  test("lets one of two first starts at the same moment win", async () => {
    const both = [start(), start()];
    const outcomes = await Promise.allSettled(both.map(({ listening }) => listening));
    const addresses = outcomes.flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value] : [],
    );
    expect(addresses).toHaveLength(1);
    expect((await fetch(`${addresses[0]!}/products`)).status).toBe(200);
    for (const service of both) service.signal("SIGTERM");
    await Promise.all(both.map(({ ended }) => ended));
  });

  /** What a service prints that refuses to start. */
  const refusal = async (): Promise<string> => {
    const service = start();
    expect((await service.ended).code).toBe(1);
    return service.printed();
  };

  /** What it prints beside another text in a file of its data. */
  async function refusalBeside(file: string, text: string): Promise<string> {
    const before = await readFile(file, "utf8");
    await writeFile(file, text);
    return refusal().finally(() => writeFile(file, before));
  }

  test("refuses data of another major version", async () => {
    const printed = await refusalBeside(path.join(dataDir, "postgres/PG_VERSION"), "17\n");
    expect(printed).toMatch(/contains data of PostgreSQL 17.*pg_dump/s);
  });

  test("names the setting that helps, in one line, where the database can't start", async () => {
    const logFile = path.join(dataDir, "postgres.log");
    await rename(logFile, `${logFile}.aside`);
    await mkdir(logFile);
    const printed = await refusal();
    await rmdir(logFile);
    await rename(`${logFile}.aside`, logFile);
    expect(printed).toBe(
      `${logFile} can't be written (EISDIR). To use another folder, set DATA_DIR\n`,
    );
  });

  test("names the file to put back where the database's password is another one", async () => {
    const file = path.join(dataDir, "postgres-password");
    expect(await refusalBeside(file, "another one")).toBe(
      `The database in ${path.join(dataDir, "postgres")} does not accept the password. Put the right ${file} back\n`,
    );
  });

  test("an empty DATABASE_URL keeps away from the database that .env names", async () => {
    const file = path.join(dataDir, ".env");
    await writeFile(file, "DATABASE_URL=postgres://shop@127.0.0.1:1/production\n");
    try {
      const address = await start({ DATABASE_URL: "" }).listening;
      expect((await fetch(`${address}/products`)).status).toBe(200);
      expect(await databaseProcess(dataDir)).toBeDefined();
    } finally {
      await rm(file);
    }
  });

  test("takes the database over that a killed service left running", async () => {
    const killed = start();
    await addCategory(await killed.listening);
    await kill(killed);
    const orphan = await databaseProcess(dataDir);
    const service = start();
    const address = await service.listening;
    expect(await databaseProcess(dataDir)).toBe(orphan);
    expect(await categories(address)).toContain("Kept across restarts");
    service.signal("SIGTERM");
    expect((await service.ended).code).toBe(0);
    expect(service.printed()).toContain(`kept in ${path.join(dataDir, "administrator.json")}`);
    expect(await databaseProcess(dataDir)).toBeUndefined();
  });

  test("recovers after service and database were killed, and another program has its process number", async () => {
    const killed = start();
    await addCategory(await killed.listening);
    // The service first: it would notice that its database has gone, and end in order.
    await kill(killed);
    process.kill((await databaseProcess(dataDir))!, "SIGKILL");
    const lockFile = path.join(dataDir, "postgres/postmaster.pid");
    const lock = await readFile(lockFile, "utf8");
    await writeFile(lockFile, lock.replace(/^\d+/, String(process.pid)));
    const address = await start().listening;
    expect(await categories(address)).toContain("Kept across restarts");
    expect((await login(address, dataDir)).status).toBe(200);
  });

  test("keeps its data folder to itself after a session of its database has crashed", async () => {
    const service = start();
    const address = await service.listening;
    const { port } = (await readPostmaster(path.join(dataDir, "postgres")))!;
    const url = `postgres://postgres:${await databasePassword(dataDir)}@127.0.0.1:${port}/postgres`;
    const session = async (): Promise<number | undefined> => {
      const named = "SELECT pid FROM pg_stat_activity WHERE application_name = 'embedded-postgres'";
      const found = await query<{ pid: number }>(url, named).catch(() => []);
      return found[0]?.pid;
    };
    const crashed = (await session())!;
    process.kill(crashed, "SIGKILL");
    await eventually(async () => ![undefined, crashed].includes(await session()));
    const second = start();
    void second.listening.then(
      () => second.signal("SIGTERM"), // instead of a time-out
      () => undefined,
    );
    expect((await second.ended).code).toBe(1);
    expect(second.printed()).toContain(`already running on the data folder ${dataDir}`);
    expect(await categories(address)).toContain("Kept across restarts");
  });

  test("does not offer a password that has been changed since", async () => {
    const before = start();
    const address = await before.listening;
    const file = path.join(dataDir, "administrator.json");
    expect(before.printed()).toContain(`kept in ${file}`);
    const { password } = JSON.parse(await readFile(file, "utf8")) as { password: string };
    const { access_token } = await body<{ access_token: string }>(await login(address, dataDir));
    const changed = await fetch(`${address}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${access_token}` },
      body: JSON.stringify({
        query: `mutation ($now: String!) {
          changePassword(currentPassword: $now, newPassword: "another password") { accessToken }
        }`,
        variables: { now: password },
      }),
    });
    expect(await changed.json()).not.toHaveProperty("errors");
    before.signal("SIGTERM");
    await before.ended;
    const after = start();
    const addressAfter = await after.listening;
    expect(after.printed()).toContain(
      `  Log in     as admin@tea-shop.local and password: POST ${addressAfter}/auth/login\n` +
        `  Password   no longer the one in ${file}\n`,
    );
    expect(after.printed()).not.toContain("curl");
  });
});
