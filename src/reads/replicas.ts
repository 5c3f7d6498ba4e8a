import type { Sequelize } from "sequelize-typescript";
import { readFrom } from "./read-pool";
import { isUnavailable } from "../database/statements/failures";
import { DomainError } from "../vocabulary/errors";
import { endOfLog, reaches, type Position } from "./position";
import { Replica } from "./replica";
import type { SessionPositions } from "./session-positions";
import { SharedRead } from "./shared-read";

/** A place of the log, and when it was known to be its end, by the clock of the process. */
interface Sample {
  readonly position: Position;
  readonly at: number;
}

interface ReplicaOptions {
  /** Milliseconds that a read may be behind changes which its client and this process know nothing of. */
  readonly maxLag: number;
  readonly positions: SessionPositions;
  /** Is told when a replica is used, or used no more; replicas are numbered from 0. */
  readonly report?: (replica: number, isInUse: boolean) => void;
}

/**
 * Chooses the database that a request reads: a replica that has everything that its client was told and that this
 * process has answered, and everything that is older than the longest lag; otherwise the primary. No read waits
 * for a replica.
 */
export class Replicas {
  private readonly replicas: readonly Replica[];
  private readonly sampled = new SharedRead<undefined, Position>(() => this.sample());
  /** The latest end of the log that is known. */
  private latest: Sample | undefined;
  /** Where the log ended after the last change that this process has answered. */
  private changed: Position | undefined;
  /** Whether changes were answered after which the end of the log could not be read. */
  private isUncertain = false;
  private turn = 0;

  constructor(
    private readonly primary: Sequelize,
    databases: readonly Sequelize[],
    private readonly options: ReplicaOptions,
  ) {
    const { report = () => undefined } = options;
    this.replicas = databases.map(
      (each, number) => new Replica(each, (isInUse) => report(number, isInUse)),
    );
  }

  /**
   * To be called after a change has been committed and before it is answered: from then on, this process reads nothing
   * older. Returns the position for the client; undefined if it can't be read now.
   */
  async afterChange(): Promise<string | undefined> {
    try {
      const position = await this.sampled.run(undefined);
      this.changed = later(position, this.changed);
      return this.options.positions.textOf(position);
    } catch {
      this.isUncertain = true;
      return undefined;
    }
  }

  /**
   * Chooses what the current request reads, given the position that its client has sent. Undefined if it reads the
   * primary. The replicas take turns, but for reads whose answers have tags: another replica would give others.
   */
  async begin(
    text: string | undefined,
    { hasTag = false }: { readonly hasTag?: boolean } = {},
  ): Promise<ReadTurn | undefined> {
    const needed = await this.needed(text).catch(() => undefined);
    if (!needed) return undefined;
    const first = hasTag ? 0 : (this.turn += 1);
    for (let place = 0; place < this.replicas.length; place += 1) {
      const replica = this.replicas[(first + place) % this.replicas.length];
      if (replica && (await replica.has(needed))) return new ReadTurn(replica);
    }
    return undefined;
  }

  /** What a replica must have replayed; undefined if the client knows of another timeline. */
  private async needed(text: string | undefined): Promise<Position | undefined> {
    const { maxLag, positions } = this.options;
    const age = this.latest ? performance.now() - this.latest.at : Infinity;
    if (this.isUncertain || age > maxLag) await this.sampled.run(undefined);
    else if (age > maxLag / 2) this.sampled.run(undefined).catch(() => undefined);
    const position = this.latest?.position;
    if (!position) return undefined;
    if (this.isUncertain) {
      this.changed = position;
      this.isUncertain = false;
    }
    const needed = later(position, this.changed);
    const asked = text === undefined ? undefined : positions.read(text, position);
    if (asked && asked.timeline !== needed.timeline) return undefined;
    return later(needed, asked);
  }

  private async sample(): Promise<Position> {
    const at = performance.now();
    const position = await endOfLog(this.primary);
    this.latest = { position, at };
    return position;
  }
}

/** The later of two positions; the first one if they can't be compared, since what the other one names is gone. */
const later = (one: Position, other: Position | undefined): Position =>
  other && reaches(other, one) ? other : one;

/** The reading of one request from a replica. */
export class ReadTurn {
  private failed = false;

  constructor(private readonly replica: Replica) {
    readFrom(replica.database);
  }

  /** Whether a read from the replica failed, so that the request should be repeated at the primary. */
  get hasFailed(): boolean {
    return this.failed;
  }

  /** Records an error of a read. Returns whether the replica is to blame, and not the request. */
  note(error: unknown): boolean {
    const isItsFault =
      isUnavailable(error) || (error instanceof DomainError && error.code === "UNAVAILABLE");
    if (isItsFault) {
      this.failed = true;
      this.replica.leaveOut();
    }
    return isItsFault;
  }

  /** From now on the request reads the primary. */
  leave(): void {
    readFrom(undefined);
  }
}
