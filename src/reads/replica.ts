import { setTimeout } from "node:timers/promises";
import type { Sequelize } from "sequelize-typescript";
import type { Client } from "pg";
import { ConnectionError } from "sequelize";
import { isBehind, reaches, replayedAt, replayedBy, type Position } from "./position";
import { Batcher } from "./batcher";

/** Milliseconds for a replica to say how far it is; one that takes longer is left out. */
const PATIENCE = 250;

/** Milliseconds after which a replica that was left out is asked again. */
const PAUSE = 500;

/**
 * Milliseconds for which a replica's word counts; a longer time would notice its promotion late. Behind a pooler it
 * counts only once: the pooler keeps its connection to us while the replica crashes and comes back with less.
 */
const MEMORY = 500;

/**
 * Whether a replica is read or, if not, why:
 * - `away`: it does not answer, or not in time.
 * - `primary`: it follows no primary, as after its promotion.
 * - `foreign`: it follows another database.
 */
export type ReplicaState = "used" | "away" | "primary" | "foreign";

/** A copy of the database that follows the primary. One that fails is left out until it answers again. */
export class Replica {
  private state: ReplicaState | undefined; // unknown until it has been asked for the first time
  private known: { readonly position: Position; readonly at: number } | undefined;
  /** The most that it was known to have. */
  private had: Position | undefined;
  /** Whether any of its connections has led through a pooler. */
  private isPooled = false;
  private nextTry = 0;
  private readonly asked = new Batcher<undefined, Position | undefined>(() => this.ask());

  constructor(
    readonly name: string,
    readonly database: Sequelize,
    private readonly report: (state: ReplicaState) => void,
  ) {
    database.addHook("afterConnect", (connection) => this.admit(connection as Client));
  }

  /** Whether it has replayed a position. Answers in bounded time, and never waits for the replay. */
  async has(needed: Position): Promise<boolean> {
    if (this.state !== "used") {
      this.tryAgain(needed);
      return false;
    }
    const { known } = this;
    if (known && performance.now() - known.at < MEMORY && reaches(known.position, needed)) {
      return true;
    }
    return this.judge(await this.answer(), needed);
  }

  /** Sends no reads here until it has answered again. */
  leaveOut(): void {
    this.become("away");
  }

  /** Asks a replica that is left out, without letting anybody wait. */
  private tryAgain(needed: Position): void {
    if (performance.now() < this.nextTry) return;
    this.nextTry = performance.now() + PAUSE;
    void this.answer().then((answer) => this.judge(answer, needed));
  }

  private judge(answer: Position | "away" | "primary", needed: Position): boolean {
    if (typeof answer === "string") this.become(answer);
    else this.become(answer.identity === needed.identity ? "used" : "foreign");
    return typeof answer !== "string" && reaches(answer, needed);
  }

  private become(state: ReplicaState): void {
    if (state !== "used") {
      this.known = undefined;
      this.nextTry = performance.now() + PAUSE;
    }
    if (state === this.state) return;
    this.state = state;
    this.report(state);
  }

  /** How far it is, or why it does not say so. */
  private async answer(): Promise<Position | "away" | "primary"> {
    const late = setTimeout(PATIENCE, "away" as const, { ref: false });
    try {
      return (await Promise.race([this.asked.run(undefined), late])) ?? "primary";
    } catch {
      return "away";
    }
  }

  private async ask(): Promise<Position | undefined> {
    const at = performance.now();
    const position = await replayedBy(this.database);
    this.known = this.isPooled ? undefined : position && { position, at };
    if (position && (!this.had || !isBehind(position, this.had))) this.had = position;
    return position;
  }

  /**
   * Refuses a connection to a server that lacks what the replica was known to have: after a crash, a server answers
   * again before it has replayed all that it had. So every connection leads to one that has what was relied upon.
   */
  private async admit(connection: Client): Promise<void> {
    const { position, isDirect } = await replayedAt(connection);
    this.isPooled ||= !isDirect;
    if (!this.had || (position && !isBehind(position, this.had))) return;
    await connection.end();
    throw new ConnectionError(new Error("The replica lacks what it had"));
  }
}
