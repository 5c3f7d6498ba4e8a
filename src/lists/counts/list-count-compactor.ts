import type { Sequelize } from "sequelize-typescript";
import { compactListCounts, refreshListCounts } from "./list-changes";
import { withClient } from "../../database/connection/with-client";

/** Fewer unfolded changes than this are left until there are more: reads hardly take longer. */
export const WORTH_FOLDING = 100;

/** Milliseconds between two folds of a table, and after a fold that failed. */
const PAUSE = 250;
const PAUSE_AFTER_FAILURE = 10_000;

interface Table {
  /** Changes known to be unfolded. */
  changes: number;
  timer: NodeJS.Timeout | undefined;
  /** No fold begins before this time of `performance.now()`. */
  notBefore: number;
  work: Promise<void> | undefined;
}

/**
 * Folds the changes of lists into their stored counts (migration 011) in the background: soon after a reader
 * met many changes, or after this process has written many. Otherwise it sends no statement. If several
 * processes fold at the same time, the database lets only one of them do it.
 */
export class ListCountCompactor {
  private readonly tables = new Map<string, Table>();
  private closed = false;

  /** `databaseUrl` is for work that takes longer than a statement of the pool may. */
  constructor(
    private readonly sequelize: Sequelize,
    private readonly databaseUrl: string,
  ) {}

  /** A row of the table was changed. */
  noteChange(name: string): void {
    this.noteUnfolded(name, this.table(name).changes + 1);
  }

  /** A reader met this many changes; Infinity if there are no stored counts. */
  noteUnfolded(name: string, changes: number): void {
    const table = this.table(name);
    table.changes = changes;
    if (this.closed || changes < WORTH_FOLDING || table.timer || table.work) return;
    const wait = Math.max(0, table.notBefore - performance.now());
    table.timer = setTimeout(() => {
      table.timer = undefined;
      table.work = this.fold(name, table).finally(() => (table.work = undefined));
    }, wait);
    table.timer.unref();
  }

  /** Starts no more folds. One that is under way ends by itself, or is undone when its connection ends. */
  close(): void {
    this.closed = true;
    for (const { timer } of this.tables.values()) clearTimeout(timer);
  }

  private async fold(name: string, table: Table): Promise<void> {
    table.changes = 0;
    let pause = PAUSE;
    try {
      if (!(await compactListCounts(this.sequelize, name))) {
        await withClient(this.databaseUrl, (client) => refreshListCounts(client, name));
      }
    } catch {
      // Readers count unfolded changes themselves, cause another attempt, and report errors of the database.
      pause = PAUSE_AFTER_FAILURE;
    }
    table.notBefore = performance.now() + pause;
  }

  private table(name: string): Table {
    let table = this.tables.get(name);
    if (!table) {
      table = { changes: 0, timer: undefined, notBefore: 0, work: undefined };
      this.tables.set(name, table);
    }
    return table;
  }
}
