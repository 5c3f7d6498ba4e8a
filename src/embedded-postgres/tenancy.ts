import { Client, DatabaseError } from "pg";
import { setTimeout } from "node:timers/promises";
import { EmbeddedPostgresError } from "./system";
import {
  isSameFolder,
  livePostmaster,
  readPostmaster,
  type Postmaster,
  connectionString,
  type ServerAddress,
} from "./postmaster";

/** Users of a server hold this lock in shared mode. Whoever gets it exclusively may stop the server. */
const USERS_LOCK = 7_238_101;

/** The only owner of a data folder holds this lock. */
const OWNER_LOCK = 7_238_102;

/** In milliseconds. The server frees the lock of a killed owner once it notices that the connection is gone. */
const CLAIM_TIMEOUT = 1_000;

const INVALID_PASSWORD = "28P01";

/** The use of a live server: an open connection that holds locks. They end with this process at the latest. */
export class Tenancy {
  private leaving = false;

  private constructor(
    private readonly client: Client,
    private readonly postmaster: Postmaster,
    readonly port: number,
  ) {}

  /**
   * Connects to the server of a folder. Returns undefined if there is none, it does not answer or serves
   * another folder, or it is being stopped.
   *
   * @throws EmbeddedPostgresError if the server does not accept the password
   */
  static async begin({ folder, password }: ServerAddress): Promise<Tenancy | undefined> {
    const postmaster = await livePostmaster(folder);
    if (postmaster?.port === undefined || !postmaster.isReady) return undefined;
    const { port } = postmaster;
    const client = new Client({
      connectionString: connectionString(port, password, "postgres"),
      connectionTimeoutMillis: 5_000,
      application_name: "embedded-postgres",
    });
    // A broken connection also emits "end"; without a listener its error would end the process.
    client.on("error", () => undefined);
    const tenancy = new Tenancy(client, postmaster, port);
    try {
      await client.connect();
      const served = await tenancy.value<string>("current_setting('data_directory')");
      const isOurs = await isSameFolder(served, folder);
      if (isOurs && (await tenancy.value<boolean>(`pg_try_advisory_lock_shared(${USERS_LOCK})`))) {
        return tenancy;
      }
    } catch (error) {
      if (error instanceof DatabaseError && error.code === INVALID_PASSWORD) {
        throw new EmbeddedPostgresError(`The database in ${folder} does not accept the password`, [
          "other-password",
        ]);
      }
    }
    await client.end().catch(() => undefined);
    return undefined;
  }

  /** Makes this process the only owner of the folder. Returns false if another process owns it. */
  async claim(): Promise<boolean> {
    const deadline = Date.now() + CLAIM_TIMEOUT;
    while (!(await this.value<boolean>(`pg_try_advisory_lock(${OWNER_LOCK})`))) {
      if (Date.now() > deadline) return false;
      await setTimeout(50);
    }
    return true;
  }

  async ensureDatabase(name: string): Promise<void> {
    const { rows } = await this.client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rows.length > 0) return;
    try {
      const quoted = this.client.escapeIdentifier(name);
      await this.client.query(`CREATE DATABASE ${quoted} TEMPLATE template0 ENCODING 'UTF8'`);
    } catch (error) {
      // Another process was faster.
      const exists =
        error instanceof DatabaseError && ["42P04", "23505"].includes(error.code ?? "");
      if (!exists) throw error;
    }
  }

  /** Calls back when the connection breaks, which also loses the locks. */
  onLost(callback: () => void): void {
    this.client.once("end", () => {
      if (!this.leaving) callback();
    });
  }

  /** Whether no other process uses the server. If so, no other can begin to, and this process may stop the server. */
  async isLast(): Promise<boolean> {
    this.leaving = true;
    await this.value(`pg_advisory_unlock_shared(${USERS_LOCK})`);
    return this.value<boolean>(`pg_try_advisory_lock(${USERS_LOCK})`);
  }

  async end(): Promise<void> {
    this.leaving = true;
    await this.client.end().catch(() => undefined);
  }

  /** The server's process id; undefined if the lock file names another process now. */
  async serverProcess(folder: string): Promise<number | undefined> {
    const current = await readPostmaster(folder);
    return current?.pid === this.postmaster.pid ? current.pid : undefined;
  }

  private async value<T>(expression: string): Promise<T> {
    const { rows } = await this.client.query<{ value: T }>(`SELECT ${expression} AS value`);
    const [row] = rows;
    if (!row) throw new Error(`${expression} has no value`);
    return row.value;
  }
}
