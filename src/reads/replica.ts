import type { Sequelize } from "sequelize-typescript";
import type { Client } from "pg";
import { ConnectionError } from "sequelize";
import { isBehind, reaches, replayedAt, replayedBy, type Position } from "./position";
import { SharedRead } from "./shared-read";

/** Milliseconds for a replica to say how far it is; one that takes longer is left out. */
const PATIENCE = 250;

/** Milliseconds after which a replica that was left out is asked again. */
const PAUSE = 500;

/** Milliseconds for which a replica's word counts. A pooler before it could lead to another one meanwhile. */
const MEMORY = 500;

/** A copy of the database that follows the primary. One that fails is left out until it answers again. */
export class Replica {
  private known: { readonly position: Position; readonly at: number } | undefined;
  /** The most that it was known to have. */
  private had: Position | undefined;
  private isLeftOut = true; // until it has answered for the first time
  private nextTry = 0;
  private readonly asked = new SharedRead<undefined, Position>(() => this.ask());

  constructor(
    readonly database: Sequelize,
    private readonly report: (isInUse: boolean) => void,
  ) {
    database.addHook("afterConnect", (connection) => this.admit(connection as Client));
  }

  /** Whether it has replayed all up to a position. Answers in bounded time, and never waits for the replay. */
  async has(needed: Position): Promise<boolean> {
    if (this.isLeftOut) {
      this.tryAgain();
      return false;
    }
    const { known } = this;
    if (known && performance.now() - known.at < MEMORY && reaches(known.position, needed)) {
      return true;
    }
    const position = await inTime(this.asked.run(undefined));
    if (!position) this.leaveOut();
    return position !== undefined && reaches(position, needed);
  }

  /** Sends no reads here until it has answered again. */
  leaveOut(): void {
    this.known = undefined;
    this.nextTry = performance.now() + PAUSE;
    if (this.isLeftOut) return;
    this.isLeftOut = true;
    this.report(false);
  }

  private tryAgain(): void {
    if (performance.now() < this.nextTry) return;
    this.nextTry = performance.now() + PAUSE;
    const begun = performance.now();
    this.asked.run(undefined).then(
      () => {
        if (!this.isLeftOut || performance.now() - begun > PATIENCE) return;
        this.isLeftOut = false;
        this.report(true);
      },
      () => undefined,
    );
  }

  private async ask(): Promise<Position> {
    const at = performance.now();
    const position = await replayedBy(this.database);
    if (!position) throw new Error("It follows no primary");
    this.known = { position, at };
    if (!this.had || !isBehind(position, this.had)) this.had = position;
    return position;
  }

  /**
   * Refuses a connection to a server that lacks what the replica was known to have: after a crash, a server answers
   * again before it has replayed all that it had. So every connection leads to one that has what was relied upon.
   */
  private async admit(connection: Client): Promise<void> {
    if (!this.had) return;
    const position = await replayedAt(connection);
    if (position && !isBehind(position, this.had)) return;
    await connection.end();
    throw new ConnectionError(new Error("The replica lacks what it had"));
  }
}

/** The position, or undefined if the question fails or takes too long. */
async function inTime(asking: Promise<Position>): Promise<Position | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE);
  });
  try {
    return await Promise.race([asking, late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
