import type { Sequelize } from "sequelize-typescript";
import type { CatalogueSettings } from "../config/settings";
import {
  rowsAsJson,
  type JsonPart,
  type JsonRows,
  type PartsReceiver,
} from "../lists/rows-as-json";
import { BoundedQueue } from "../vocabulary/bounded-queue";
import { IdenticalReads } from "./identical-reads";
import { LongReads } from "./long-reads";

/**
 * Rows in one part of a list. A part is small enough to be written quickly, but its text is large enough that
 * the garbage collector never copies it. A list of more than one part is a long list.
 */
const PART_SIZE = 1000;

/**
 * Seconds that the database pauses after each part of a long list. Without pauses it would keep a processor
 * core busy that other statements need.
 */
const PAUSE = 0.005;

/** How many long lists may be in memory or wait for it, and the longest wait in milliseconds. */
const LONG_LISTS = { concurrency: 2, waiting: 16, patience: 5_000 };

/** A list of which REST shows all rows. */
export type WholeList = Pick<JsonRows, "model" | "columns" | "where" | "orderBy" | "name">;

/** Reads whole lists as JSON. Of long ones only a few are in memory at a time. */
export class JsonLists {
  /** Reads under way that tell short lists from long ones; undefined if each request has its own. */
  private readonly beginnings: IdenticalReads<JsonPart[]> | undefined;
  private readonly longLists = new LongReads<JsonPart[]>(new BoundedQueue(LONG_LISTS));

  constructor(
    private readonly sequelize: Sequelize,
    { shared }: Pick<CatalogueSettings, "shared">,
  ) {
    this.beginnings = shared ? new IdenticalReads() : undefined;
  }

  /**
   * Reads a list in one statement and passes it to `receive`. `key` names the list. No database connection is
   * held while `receive` runs, but a long list keeps its place among the few long lists until then. When the
   * signal `client` is aborted, a long list is no longer read for this request.
   *
   * @throws DomainError UNAVAILABLE if too many long lists are in use, or if the client is gone before a long
   *   list was read; any error of `receive`
   */
  async read(
    key: string,
    list: WholeList,
    receive: PartsReceiver,
    client: AbortSignal,
  ): Promise<void> {
    // Requests only wait for long lists, so a list that others wait for is long.
    const isLong = this.longLists.isAwaited(key);
    const parts = isLong ? [] : await this.beginning(key, list);
    if (isLong || parts.length > 1) {
      const readAll = (signal: AbortSignal) => this.parts(list, { pause: PAUSE, signal });
      await this.longLists.run(key, readAll, receive, client);
    } else await receive(parts);
  }

  /** Enough of the list to tell whether it is long; all of a short one. */
  private beginning(key: string, list: WholeList): Promise<JsonPart[]> {
    const read = () => this.parts(list, { most: PART_SIZE + 1, pause: 0 });
    return this.beginnings ? this.beginnings.run(key, read) : read();
  }

  private parts(
    list: WholeList,
    how: Pick<JsonRows, "most" | "pause" | "signal">,
  ): Promise<JsonPart[]> {
    return rowsAsJson(this.sequelize, { ...list, ...how, partSize: PART_SIZE });
  }
}
