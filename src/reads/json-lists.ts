import { createHash } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Readable } from "../database/connection/read-pool";
import type { CatalogueSettings } from "../config/settings";
import { besidePool } from "../database/connection/beside-pool";
import { inSnapshot, type Snapshot } from "../database/statements/snapshot";
import { listAsJson, shortListAsJson, type JsonRows } from "../lists/rows-as-json";
import { BoundedQueue } from "../vocabulary/bounded-queue";
import { LONGEST_KEPT } from "./catalogue-cache";
import type { CatalogueVersion } from "./catalogue-version";
import { IdenticalReads } from "./shared-read";
import { LongReads, type LongRead } from "./long-reads";
import { SharedSource } from "./shared-source";

/** Rows of the longest list that is read in one statement on the pool. A longer one is a long list. */
const SHORT = 1000;

/** How many long lists are read or sent at a time, how many may wait, and for how many milliseconds. */
const LONG_LISTS = { concurrency: 2, waiting: 16, patience: 5_000 };

/**
 * Milliseconds after each part of a long list in which nothing is read of any long list. Without pauses the
 * database would keep a processor core busy that other statements need, and two with two lists.
 */
const PAUSE = 5;

/** Bytes that are sent at a time. */
const PIECE = 65_536;

/** Bytes of a list that is read whole before it is sent. A longer one is sent while it is read. */
const MOST_WHOLE = 16 * 1024 * 1024;

/**
 * A read waits for its slowest receiver, which may pause for 3 s before each piece. The role's time
 * limit still holds for statements.
 */
const SETTINGS = "SET LOCAL idle_in_transaction_session_timeout = '20s'";

/** A list as a JSON array. */
export type JsonList =
  | { readonly text: string }
  /** One that is too long to be kept. */
  | {
      readonly pieces: AsyncIterable<Buffer>;
      /** The number of its bytes; undefined if the list is still read while its pieces are taken. */
      readonly length: number | undefined;
      /** Equal for two lists with the same key only if they have the same text. */
      readonly version: string;
    };

/** Uses a list. */
export type ListReceiver = (list: JsonList) => Promise<void>;

/** Passes a list that is read to one of its receivers. */
type Pass = (receive: ListReceiver) => Promise<void>;

/** Reads whole lists as JSON. Long ones are read in parts, on at most two connections beside the pool. */
export class JsonLists {
  /** Shared reads by which a list turns out to be short or long; undefined if every request reads for itself. */
  private readonly shortLists: IdenticalReads<string | undefined> | undefined;
  private readonly longLists = new LongReads<Pass>(new BoundedQueue(LONG_LISTS));
  /** The long lists that are read take turns, part by part. */
  private readonly turns = new BoundedQueue({ concurrency: 1, waiting: Infinity });

  /** Without `versions`, the version of a long list is a hash of its text. */
  constructor(
    private readonly database: Readable,
    private readonly versions: CatalogueVersion | undefined,
    { shared }: Pick<CatalogueSettings, "shared">,
  ) {
    this.shortLists = shared ? new IdenticalReads() : undefined;
  }

  /**
   * Reads a list as it was at one moment after this call, and passes it to `receive`. `key` names the list.
   * Only a list of more than 16 MiB holds a connection while it is received. A long list holds its place
   * among the few long lists until it is received. Reading ends early when all requests for the list have
   * aborted their signal `client`.
   *
   * @throws DomainError UNAVAILABLE if too many long lists are in use, or if the client goes away; any error of
   *   `receive`. If the read fails after `receive` was called, the pieces fail
   */
  async read(
    key: string,
    list: JsonRows,
    receive: ListReceiver,
    client: AbortSignal,
  ): Promise<void> {
    // Only long lists have a queue. If requests wait for this list there, it is long.
    const text = this.longLists.isAwaited(key) ? undefined : await this.readShort(key, list);
    if (text !== undefined) return receive({ text });
    const read: LongRead<Pass> = (deliver, signal) => this.readLong(list, deliver, signal);
    await this.longLists.run(key, read, (pass) => pass(receive), client);
  }

  /** Ends all reads of long lists; further ones are refused. */
  close(): Promise<void> {
    return this.longLists.close();
  }

  /** The list, if it is short. */
  private readShort(key: string, list: JsonRows): Promise<string | undefined> {
    const read = () => shortListAsJson(this.database, list, SHORT);
    return this.shortLists ? this.shortLists.run(key, read) : read();
  }

  private async readLong(
    list: JsonRows,
    deliver: (pass: Pass) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const read = async (snapshot: Snapshot): Promise<Pass | undefined> => {
      const parts = this.partsOf(snapshot, list, signal);
      const { beginning, length, isWhole } = await beginningOf(parts);
      const text = isWhole ? textToKeep(beginning, length) : undefined;
      if (text !== undefined) return (receive) => receive({ text });
      if (isWhole) {
        const version = (await this.versions?.in(snapshot)) ?? (await hashOf(beginning));
        return (receive) => receive({ pieces: piecesOf(beginning), length, version });
      }
      const all = joined(beginning, parts);
      const version = (await this.versions?.in(snapshot)) ?? (await hashOf(all));
      const unread = this.versions ? all : this.partsOf(snapshot, list, signal);
      const source = new SharedSource(piecesOf(unread), signal);
      deliver((receive) =>
        source.pass((pieces) => receive({ pieces, length: undefined, version })),
      );
      await source.end();
      return undefined;
    };
    const whole = await besidePool(this.database, signal, (client) =>
      inSnapshot(client, read, SETTINGS),
    );
    if (whole) deliver(whole);
  }

  /** Reads a list in parts, with pauses. Fails when the signal is aborted. */
  private async *partsOf(
    snapshot: Snapshot,
    list: JsonRows,
    signal: AbortSignal,
  ): AsyncGenerator<Buffer, void> {
    const parts = listAsJson(snapshot, list);
    for (;;) {
      const part = await this.turns.run(async () => {
        const next = await parts.next();
        await setTimeout(PAUSE);
        return next;
      });
      signal.throwIfAborted();
      if (part.done) return;
      yield Buffer.from(part.value);
    }
  }
}

/** Reads to the end, or until there are more than {@link MOST_WHOLE} bytes. */
async function beginningOf(parts: AsyncIterator<Buffer, void>) {
  const beginning: Buffer[] = [];
  let length = 0;
  while (length <= MOST_WHOLE) {
    const { value } = await parts.next();
    if (!value) return { beginning, length, isWhole: true };
    beginning.push(value);
    length += value.length;
  }
  return { beginning, length, isWhole: false };
}

/** The text of a whole list, if it is short enough to be kept. */
function textToKeep(parts: readonly Buffer[], length: number): string | undefined {
  if (length > 3 * LONGEST_KEPT) return undefined; // a UTF-16 code unit has at most three bytes in UTF-8
  const text = Buffer.concat(parts).toString();
  return text.length <= LONGEST_KEPT ? text : undefined;
}

type Parts = Iterable<Buffer> | AsyncIterable<Buffer>;

/** Yields the beginning and then the rest. Frees each part of the beginning as it goes. */
async function* joined(beginning: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for (let part = beginning.shift(); part; part = beginning.shift()) yield part;
  yield* rest;
}

async function hashOf(parts: Parts): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of parts) hash.update(part);
  return hash.digest("base64url");
}

async function* piecesOf(parts: Parts): AsyncGenerator<Buffer> {
  for await (const part of parts) {
    for (let start = 0; start < part.length; start += PIECE) {
      yield part.subarray(start, start + PIECE);
    }
  }
}
