import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFile, chmod, chown, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "../../src/embedded-postgres";
import { findBinaries, program, programEnvironment } from "../../src/embedded-postgres/binaries";
import { freePort } from "../../src/embedded-postgres/system";
import { place, type Placement } from "../../src/embedded-postgres/placement";
import { query } from "./database";
import { eventually } from "./eventually";

const run = promisify(execFile);

/** A PostgreSQL server of a test's own. */
export interface Server {
  /** The connection string of the shop's database, as its owner, an ordinary role. */
  readonly url: string;
  /** Ends it at once, as a crash does, and starts it again. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Lets a replica replay nothing more, or go on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Runs a statement as the superuser, in another database. */
  tell(statement: string): Promise<object[]>;
}

/** A primary and the replicas that stream from it. */
export interface ReplicatedServers {
  readonly primary: Server;
  readonly replicas: readonly Server[];
  close(): Promise<void>;
}

const PASSWORD = "of-the-test-server";
const SHARED = "/var/lib/embedded-postgres";

const addressOf = (port: number, role: string): string =>
  `postgres://${role}:${PASSWORD}@127.0.0.1:${port}/${role}`;

class OwnServer implements Server {
  private process: ChildProcess | undefined;

  constructor(
    private readonly placement: Placement,
    private readonly folder: string,
    readonly port: number,
  ) {}

  get url(): string {
    return addressOf(this.port, "shop");
  }

  async start(): Promise<void> {
    const { binaries, user } = this.placement;
    const settings = [
      ...["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"],
      "max_standby_streaming_delay=0", // what is replayed ends reads in its way at once
    ];
    this.process = spawn(
      program(binaries, "postgres"),
      ["-D", this.folder, "-p", String(this.port), ...settings.flatMap((each) => ["-c", each])],
      { cwd: "/", env: programEnvironment, stdio: "ignore", ...user },
    );
    await eventually(() =>
      this.tell("SELECT 1").then(
        () => true,
        () => false,
      ),
    );
  }

  async kill(): Promise<void> {
    const { process } = this;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const ended = once(process, "exit");
    process.kill("SIGQUIT");
    await ended;
  }

  async pause(): Promise<void> {
    await this.tell("SELECT pg_wal_replay_pause()");
  }

  async resume(): Promise<void> {
    await this.tell("SELECT pg_wal_replay_resume()");
  }

  tell(statement: string): Promise<object[]> {
    return query(addressOf(this.port, "postgres"), statement);
  }
}

/** Starts a primary with replicas, which are copies of its files that follow it. */
export async function startReplicated(count: number): Promise<ReplicatedServers> {
  const folder = await mkdtemp(path.join(tmpdir(), "tea-shop-replicated-"));
  await chmod(folder, 0o755);
  const dataDir = path.join(folder, "primary");
  await run("mkdir", [dataDir]);
  // Creates the cluster, and stops in order.
  await (await startEmbeddedPostgres({ dataDir, password: PASSWORD, durable: false })).stop();
  const binaries = await findBinaries();
  const placement = await place({ dataDir, sharedFolder: SHARED, binaries, log: () => undefined });
  const cluster = await realpath(placement.cluster);
  const primary = new OwnServer(placement, cluster, await freePort());
  const replicas: OwnServer[] = [];
  for (let number = 0; number < count; number += 1) {
    const copy = path.join(path.dirname(cluster), `${path.basename(cluster)}-replica-${number}`);
    await run("cp", ["-a", cluster, copy]);
    const signal = path.join(copy, "standby.signal");
    await writeFile(signal, "");
    if (placement.user) await chown(signal, placement.user.uid, placement.user.gid);
    await appendFile(
      path.join(copy, "postgresql.auto.conf"),
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD}'\n`,
    );
    replicas.push(new OwnServer(placement, copy, await freePort()));
  }
  for (const server of [primary, ...replicas]) await server.start();
  await primary.tell(`CREATE ROLE shop LOGIN PASSWORD '${PASSWORD}'`);
  await primary.tell("CREATE DATABASE shop OWNER shop");
  const isThere = "SELECT FROM pg_database WHERE datname = 'shop'";
  for (const replica of replicas) {
    await eventually(async () => (await replica.tell(isThere)).length === 1);
  }
  return {
    primary,
    replicas,
    close: async () => {
      await Promise.all([primary, ...replicas].map((server) => server.kill()));
      const copies = replicas.map((_, number) => `${cluster}-replica-${number}`);
      await Promise.all(
        [folder, cluster, ...copies].map((each) => rm(each, { recursive: true, force: true })),
      );
    },
  };
}
