import type { Sequelize } from "sequelize-typescript";
import { unavailable } from "../../vocabulary/errors";
import type { PoolNumbers } from "../../vocabulary/meter";
import { managerOf, type PooledConnection } from "./internals";

/**
 * - `closed`: a request gets a connection, or waits for one if the queue has room.
 * - `open`: the last request that asked for a connection got none. The next request will try alone.
 * - `half-open`: that request is trying. All others are refused.
 * - `ended`: the pool is closing. All requests are refused, including those that are waiting.
 */
type State = "closed" | "open" | "half-open" | "ended";

/** Options of `getConnection` for a statement that waits even if the queue is full. */
export const URGENT = { urgent: true } as const;

/**
 * The circuit breaker before a pool. It refuses a request at once, as UNAVAILABLE, if waiting would not help: if
 * too many requests wait already, because a longer queue only delays all of them, or if the database is down,
 * because a server that hung would have to work off all abandoned attempts when it resumes.
 */
export class CircuitBreaker {
  private state: State = "closed";
  private refusals = 0;
  private readonly manager: ReturnType<typeof managerOf>;
  private readonly acquire: (options: unknown) => Promise<PooledConnection>;

  /** @param queueLimit the number of requests that may wait */
  constructor(
    sequelize: Sequelize,
    private readonly queueLimit: number,
  ) {
    this.manager = managerOf(sequelize);
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
  end(): void {
    this.state = "ended";
    this.install(); // Sequelize's close() replaces getConnection
  }

  private install(): void {
    this.manager.getConnection = (options) => this.pass(options);
  }

  private async pass(options: unknown): Promise<PooledConnection> {
    if (this.state === "ended") throw unavailable("closing");
    if (this.state === "half-open") {
      this.refusals += 1;
      throw unavailable("database");
    }
    if (options !== URGENT) this.refuseIfFull();
    const tries = this.state === "open";
    if (tries) this.become("half-open");
    try {
      const connection = await this.acquire(options);
      this.become("closed");
      return connection;
    } catch (error) {
      this.refusals += 1;
      // While another request tries to connect, only its outcome counts.
      if (tries || this.state === "closed") this.become("open");
      throw this.hasEnded ? unavailable("closing") : error;
    }
  }

  private become(state: State): void {
    if (!this.hasEnded) this.state = state;
  }

  private get hasEnded(): boolean {
    return this.state === "ended";
  }
}
