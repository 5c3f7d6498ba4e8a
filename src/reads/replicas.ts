import type { Sequelize } from "sequelize-typescript";
import { isLoss, isTransient } from "../database/statements/failures";
import { DomainError } from "../vocabulary/errors";
import { readFrom } from "./read-pool";
import { endOfLog, type Position, type SessionPositions } from "./position";
import { Replica, type ReplicaState } from "./replica";
import { Batcher } from "./batcher";

/** A place of the log, and when it was known to be its end, by the clock of the process. */
interface Sample {
  readonly position: Position;
  readonly at: number;
}

/** The pool of a replica, and how it is called in the log. */
export interface ReplicaPool {
  readonly name: string;
  readonly database: Sequelize;
}

interface ReplicaOptions {
  /** Maximum staleness of a read, in milliseconds. A client's own writes are always visible. */
  readonly maxLag: number;
  readonly positions: SessionPositions;
  /** Called when a replica is used, or used no more. */
  readonly report: (replica: string, state: ReplicaState) => void;
  /** Called with the replica that a request reads; undefined for the primary. */
  readonly count: (replica: string | undefined) => void;
}

/**
 * Picks a replica that has replayed the client's last position, this process's last write, and everything older than
 * the maximum staleness. Falls back to the primary. No read waits for a replica.
 */
export class Replicas {
  private readonly replicas: readonly Replica[];
  private readonly sampled = new Batcher<undefined, Position>(() => this.sample());
  /** The latest end of the log that is known; it has all changes that this process has answered. */
  private latest: Sample | undefined;
  /**
   * How often the latest end may have been missed: a change was answered after which it could not be read, or a client
   * knew of a newer timeline. How many of these a later reading has settled.
   */
  private doubts = 0;
  private settled = 0;
  private latestFirst = 0;

  constructor(
    private readonly primary: Sequelize,
    pools: readonly ReplicaPool[],
    private readonly options: ReplicaOptions,
  ) {
    this.replicas = pools.map(
      ({ name, database }) => new Replica(name, database, (state) => options.report(name, state)),
    );
  }

  /**
   * To be called after a change has been committed and before it is answered: from then on, this process reads nothing
   * older. Returns the position for the client; undefined if it can't be read now.
   */
  async afterChange(): Promise<string | undefined> {
    try {
      return this.options.positions.textOf(await this.sampled.run(undefined));
    } catch {
      this.doubts += 1;
      return undefined;
    }
  }

  /**
   * Chooses what the current request reads, given the position that its client has sent. Undefined if it reads the
   * primary. Requests go to one replica after another, but for reads whose answers have tags: another replica would
   * give others.
   */
  async begin(
    text: string | undefined,
    { hasTag = false }: { readonly hasTag?: boolean } = {},
  ): Promise<ReadRoute | undefined> {
    const replica = await this.choose(text, hasTag);
    this.options.count(replica?.name);
    return replica && new ReadRoute(replica);
  }

  private async choose(text: string | undefined, hasTag: boolean): Promise<Replica | undefined> {
    const needed = await this.needed(text).catch(() => undefined);
    if (!needed) return undefined;
    const first = hasTag ? 0 : (this.latestFirst += 1);
    for (let place = 0; place < this.replicas.length; place += 1) {
      const replica = this.replicas[(first + place) % this.replicas.length];
      if (replica && (await replica.has(needed))) return replica;
    }
    return undefined;
  }

  /** What a replica must have replayed; undefined if the client knows of a newer timeline than this process. */
  private async needed(text: string | undefined): Promise<Position | undefined> {
    const { maxLag, positions } = this.options;
    const { doubts } = this;
    const age = this.latest ? performance.now() - this.latest.at : Infinity;
    if (doubts > this.settled || age > maxLag) await this.sampled.run(undefined);
    else if (age > maxLag / 2) this.sampled.run(undefined).catch(() => undefined);
    this.settled = Math.max(doubts, this.settled);
    const needed = this.latest?.position;
    if (!needed) return undefined;
    const asked = text === undefined ? undefined : positions.read(text, needed);
    if (asked && asked.timeline > needed.timeline) {
      this.doubts += 1;
      return undefined;
    }
    return later(needed, asked);
  }

  private async sample(): Promise<Position> {
    const at = performance.now();
    const position = await endOfLog(this.primary);
    // A slow one may end after others that began later.
    this.latest = { position: later(position, this.latest?.position), at };
    return position;
  }
}

/**
 * The later of two positions; the first one if the other one is of another database. A server that has some of a timeline
 * has all that is left of those before it.
 */
function later(one: Position, other: Position | undefined): Position {
  if (other?.identity !== one.identity) return one;
  if (other.timeline !== one.timeline) return other.timeline > one.timeline ? other : one;
  return other.place > one.place ? other : one;
}

/** Where one request reads: from a replica, and from the primary once it is released. */
export class ReadRoute {
  private failed = false;
  private isReleased = false;

  constructor(private readonly replica: Replica) {
    readFrom(replica.database);
  }

  /** Whether a read from the replica failed, so that the request should be repeated at the primary. */
  get hasFailed(): boolean {
    return this.failed && !this.isReleased;
  }

  /** Records an error of a read. Returns whether the replica is to blame, and not the request. */
  note(error: unknown): boolean {
    if (this.isReleased) return false;
    const reason = error instanceof DomainError ? error.details.reason : undefined;
    const isAway = isLoss(error) || reason === "database";
    if (isAway) this.replica.leaveOut();
    // What it replays may end a read, and too many may wait for it.
    const isItsFault = isAway || isTransient(error) || reason === "connections";
    this.failed ||= isItsFault;
    return isItsFault;
  }

  /** From now on the request reads the primary, and is not repeated. */
  release(): void {
    this.isReleased = true;
    readFrom(undefined);
  }
}
