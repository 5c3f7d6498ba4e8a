import { Client, DatabaseError } from "pg";
import { setTimeout } from "node:timers/promises";
import { EmbeddedPostgresError } from "./error";
import { isSameFolder, livePostmaster, readPostmaster, type Postmaster } from "./postmaster";
import { connectionString, type ServerAddress } from "./server-address";

/** Held, shared, by everyone who uses a server; whoever gets it alone may stop the server. */
const USERS_LOCK = 7_238_101;

/** Held by the one owner of a data folder. */
const OWNER_LOCK = 7_238_102;

/** A killed owner's lock comes free when the server notices that its connection is gone. */
const CLAIM_TIMEOUT = 1_000;

const INVALID_PASSWORD = "28P01";

/**
 * The use of a live server: one connection, kept open, whose locks the server releases by itself when
 * this process is gone.
 */
export class Tenancy {
  private leaving = false;

  private constructor(
    private readonly client: Client,
    private readonly postmaster: Postmaster,
    /** The server's port. */
    readonly port: number,
  ) {}

  /**
   * Connects to a server; undefined where there is none, or it does not answer (yet, or any longer), or is
   * being stopped.
   *
   * @throws EmbeddedPostgresError where it is not this folder's, or the password is not its own
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
    // A connection that breaks also ends; without a listener it would end the process.
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
        throw new EmbeddedPostgresError(`The database in ${folder} does not take the password`, [
          "other-password",
        ]);
      }
    }
    await client.end().catch(() => undefined);
    return undefined;
  }

  /** Makes this process the folder's one owner; false where another one is. */
  async claim(): Promise<boolean> {
    const deadline = Date.now() + CLAIM_TIMEOUT;
    while (!(await this.value<boolean>(`pg_try_advisory_lock(${OWNER_LOCK})`))) {
      if (Date.now() > deadline) return false;
      await setTimeout(50);
    }
    return true;
  }

  /** Creates a database where it is missing. */
  async ensureDatabase(name: string): Promise<void> {
    const { rows } = await this.client.query("SELECT FROM pg_database WHERE datname = $1", [name]);
    if (rows.length > 0) return;
    try {
      const quoted = this.client.escapeIdentifier(name);
      await this.client.query(`CREATE DATABASE ${quoted} TEMPLATE template0 ENCODING 'UTF8'`);
    } catch (error) {
      // Another start was faster.
      const isThere =
        error instanceof DatabaseError && ["42P04", "23505"].includes(error.code ?? "");
      if (!isThere) throw error;
    }
  }

  /** Calls back when the connection breaks, and with it the locks are lost. */
  onLost(callback: () => void): void {
    this.client.once("end", () => {
      if (!this.leaving) callback();
    });
  }

  /** Whether nobody else uses the server; whoever is told so can stop it before anyone else comes. */
  async isLast(): Promise<boolean> {
    this.leaving = true;
    await this.value(`pg_advisory_unlock_shared(${USERS_LOCK})`);
    return this.value<boolean>(`pg_try_advisory_lock(${USERS_LOCK})`);
  }

  /** Ends the use. */
  async end(): Promise<void> {
    this.leaving = true;
    await this.client.end().catch(() => undefined);
  }

  /** The server's process, which this connection shows to be alive; undefined where its lock file says otherwise. */
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
