import type { Sequelize } from "sequelize-typescript";
import { unavailable } from "../errors";

/**
 * How a gate stands.
 *
 * - `open`: whoever finds room in the queue may ask for a connection.
 * - `away`: the last who asked got none; the next one tries alone.
 * - `trying`: one of them tries, and all others are refused.
 * - `closed`: all are refused, and so are those who still waited.
 */
type GateState = "open" | "away" | "trying" | "closed";

/** What is used of Sequelize's connection manager; its declarations leave it out. */
interface ConnectionManager {
  readonly pool: { readonly waiting: number; readonly using: number; readonly maxSize: number };
  getConnection: GetConnection;
}

type GetConnection = (options?: unknown) => Promise<unknown>;

/**
 * Stands before a pool's connections and refuses as UNAVAILABLE, at once, where waiting would not help:
 * where too many wait already, as a queue without bounds only makes all of them late, and where the
 * database is away, as one that hangs would find as many dead connections when it goes on.
 */
export class ConnectionGate {
  private state: GateState = "open";
  private readonly manager: ConnectionManager;
  private readonly acquire: GetConnection;

  /** `queueLimit` is the number of requests that may wait. */
  constructor(
    sequelize: Sequelize,
    private readonly queueLimit: number,
  ) {
    this.manager = sequelize.connectionManager as unknown as ConnectionManager;
    this.acquire = this.manager.getConnection.bind(this.manager);
    this.install();
  }

  /** Whether so many requests wait for a connection that the next one is refused. */
  get isQueueFull(): boolean {
    const { waiting, using, maxSize } = this.manager.pool;
    return waiting + using >= maxSize + this.queueLimit;
  }

  /** Refuses from now on, as clients may be served elsewhere or be gone. */
  close(): void {
    this.state = "closed";
    this.install(); // Sequelize has put a refusal of its own in its place
  }

  private install(): void {
    this.manager.getConnection = (options) => this.pass(options);
  }

  private async pass(options: unknown): Promise<unknown> {
    if (this.state === "closed" || this.state === "trying" || this.isQueueFull) throw unavailable();
    const tries = this.state === "away";
    if (tries) this.become("trying");
    try {
      const connection = await this.acquire(options);
      this.become("open");
      return connection;
    } catch (error) {
      // While another one tries, that one decides.
      if (tries || this.state === "open") this.become("away");
      throw this.isClosed ? unavailable() : error;
    }
  }

  /** What is closed stays so. */
  private become(state: GateState): void {
    if (!this.isClosed) this.state = state;
  }

  private get isClosed(): boolean {
    return this.state === "closed";
  }
}
