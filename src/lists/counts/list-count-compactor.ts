import { setTimeout as sleep } from "node:timers/promises";
import type { Sequelize } from "sequelize-typescript";
import { compactListCounts, refreshListCounts } from "./list-changes";
import { withClient } from "../../database/connection/with-client";

/** Changes that a reader need not notice: fewer than these wait for more. */
const WORTH_FOLDING = 100;

/** Milliseconds from one folding of a table to the next, and after one that failed. */
const PAUSE = 250;
const PAUSE_AFTER_FAILURE = 10_000;

/** Milliseconds that closing waits for work that is under way. */
const CLOSE_TIMEOUT = 1_000;

interface Table {
  /** Changes known to be unfolded. */
  changes: number;
  timer: NodeJS.Timeout | undefined;
  /** Performance time before which nothing is folded. */
  notBefore: number;
  work: Promise<void> | undefined;
}

/**
 * Folds the changes of kept lists (migration 011) in the background: soon after a reader met many of them,
 * or after this process has written many. Otherwise it issues no statement. Processes may fold at the same
 * time; the database lets one of them do it.
 */
export class ListCountCompactor {
  private readonly tables = new Map<string, Table>();
  private closed = false;

  /** The URL is for work that takes longer than a statement of the pool may. */
  constructor(
    private readonly sequelize: Sequelize,
    private readonly databaseUrl: string,
  ) {}

  /** A row of the table was changed. */
  noteChange(name: string): void {
    this.noteUnfolded(name, this.table(name).changes + 1);
  }

  /** A reader met this many changes; Infinity if the lists are not counted at all. */
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

  /** Starts nothing any more. Resolves in bounded time; work that goes on then is the database's alone. */
  async close(): Promise<void> {
    this.closed = true;
    const tables = [...this.tables.values()];
    for (const { timer } of tables) clearTimeout(timer);
    const works = Promise.all(tables.map(({ work }) => work ?? Promise.resolve()));
    await Promise.race([works, sleep(CLOSE_TIMEOUT, undefined, { ref: false })]);
  }

  private async fold(name: string, table: Table): Promise<void> {
    table.changes = 0;
    let pause = PAUSE;
    try {
      if (!(await compactListCounts(this.sequelize, name))) {
        await withClient(this.databaseUrl, (client) => refreshListCounts(client, name));
      }
    } catch {
      // Readers count what is not folded, and will ask again. What is wrong with the database they tell.
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
