import type { Sequelize } from "sequelize-typescript";
import { unavailable } from "../../vocabulary/errors";
import type { PoolNumbers } from "../../vocabulary/meter";

/**
 * - `open`: a request gets a connection, or waits for one if the queue has room.
 * - `away`: the last request that asked for a connection got none. The next request will try alone.
 * - `trying`: that request is trying. All others are refused.
 * - `closed`: all requests are refused, including those that are waiting.
 */
type GateState = "open" | "away" | "trying" | "closed";

/** Options of `getConnection` for a statement that waits even if the queue is full. */
export const URGENT = { urgent: true } as const;

/** Members of Sequelize's connection manager that its declarations leave out. */
interface ConnectionManager {
  readonly pool: { readonly waiting: number; readonly using: number; readonly maxSize: number };
  getConnection: GetConnection;
}

type GetConnection = (options?: unknown) => Promise<unknown>;

/**
 * Guards the connections of a pool. It refuses a request at once, as UNAVAILABLE, if waiting would not help: if
 * too many requests wait already, because a longer queue only delays all of them, or if the database is down,
 * because a server that hung would have to work off all abandoned attempts when it resumes.
 */
export class ConnectionGate {
  private state: GateState = "open";
  private refusals = 0;
  private readonly manager: ConnectionManager;
  private readonly acquire: GetConnection;

  /** @param queueLimit the number of requests that may wait */
  constructor(
    sequelize: Sequelize,
    private readonly queueLimit: number,
  ) {
    this.manager = sequelize.connectionManager as unknown as ConnectionManager;
    this.acquire = this.manager.getConnection.bind(this.manager);
    this.install();
  }

  /** How the pool is used, and how many requests were refused a connection. */
  get numbers(): PoolNumbers {
    const { waiting, using, maxSize } = this.manager.pool;
    return { size: maxSize, inUse: using, waiting, refused: this.refusals };
  }

  /**
   * Refuses a request, and counts the refusal, if the queue is full.
   *
   * @throws DomainError UNAVAILABLE
   */
  refuseIfFull(): void {
    const { waiting, using, maxSize } = this.manager.pool;
    if (waiting + using < maxSize + this.queueLimit) return;
    this.refusals += 1;
    throw unavailable("connections");
  }

  /** Refuses all requests from now on. */
  close(): void {
    this.state = "closed";
    this.install(); // Sequelize's close() replaces getConnection
  }

  private install(): void {
    this.manager.getConnection = (options) => this.pass(options);
  }

  private async pass(options: unknown): Promise<unknown> {
    if (this.state === "closed") throw unavailable("closing");
    if (this.state === "trying") {
      this.refusals += 1;
      throw unavailable("database");
    }
    if (options !== URGENT) this.refuseIfFull();
    const tries = this.state === "away";
    if (tries) this.become("trying");
    try {
      const connection = await this.acquire(options);
      this.become("open");
      return connection;
    } catch (error) {
      this.refusals += 1;
      // While another request tries to connect, only its outcome counts.
      if (tries || this.state === "open") this.become("away");
      throw this.isClosed ? unavailable("closing") : error;
    }
  }

  /** A closed gate stays closed. */
  private become(state: GateState): void {
    if (!this.isClosed) this.state = state;
  }

  private get isClosed(): boolean {
    return this.state === "closed";
  }
}
