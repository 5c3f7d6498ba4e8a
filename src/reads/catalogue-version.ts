import { randomUUID } from "node:crypto";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { Readable } from "../database/connection/read-pool";
import type { Snapshot } from "../database/statements/snapshot";
import { runSql } from "../database/statements/sql";
import { TotalsByVersion } from "../lists/totals";
import { ReadTurns } from "./shared-read";
import { compactCatalogueChanges } from "./compact-catalogue-changes";

/** The most changes that stay in rows of their own before they are folded. Every check reads all of these rows. */
const MOST_ROWS = 100;

/** Milliseconds between two attempts to fold. */
const FOLD_INTERVAL = 1_000;

/**
 * Tells the database from any other into which a dump of it was restored: on another server, in another
 * database of this server, or in the same database.
 */
const IDENTITY = sql`pg_postmaster_start_time(), catalogue_state.tableoid,
  (SELECT oid FROM pg_database WHERE datname = current_database())`;

interface Found {
  readonly version: string;
  /** Changes that are not folded. */
  readonly rows: number;
}

const VERSION = sql`
  SELECT concat_ws(' ', ${IDENTITY}, changes + rows, marks # row_marks) AS version, rows
  FROM catalogue_state, (
    SELECT count(*)::integer AS rows, coalesce(bit_xor(mark), 0) AS row_marks
    FROM catalogue_changes
  ) AS unfolded`;

/**
 * The version of the catalogue. Every transaction that changes categories or products also changes the version
 * when it commits, whoever runs it (migration 012). Two equal versions mean that the catalogue was the same at
 * both times, and at all times in between.
 */
export class CatalogueVersion {
  /** The totals of lists of the catalogue. */
  readonly totals = new TotalsByVersion(VERSION);
  private readonly turns = new ReadTurns();
  /** The next check, for which calls gather; undefined if nobody waits for one that has not begun. */
  private gathering: Promise<string> | undefined;
  private folding: Promise<void> | undefined;
  private nextFold = 0;

  /**
   * @param database the database whose version this is; one that follows the primary has the same version later
   * @param build identifies this build of the service; a version of another build is never equal
   */
  constructor(
    private readonly database: Readable,
    private readonly primary: Sequelize,
    private readonly build: string,
  ) {}

  /**
   * The version at a moment after this call. Calls that wait at the same time share one statement, which is sent
   * after the last of them.
   */
  current(): Promise<string> {
    return (this.gathering ??= this.read());
  }

  /** Whether this version is still the current one; false if the database fails. */
  async isStill(version: string): Promise<boolean> {
    const current = await this.current().catch(() => undefined);
    return current === version;
  }

  /** The version of the catalogue in a snapshot. */
  async in(snapshot: Snapshot): Promise<string> {
    return this.named(await snapshot.rows<Found>(VERSION));
  }

  /** Starts no more folds. Resolves when none is under way. */
  async close(): Promise<void> {
    this.nextFold = Infinity;
    await this.folding;
  }

  private async read(): Promise<string> {
    await this.turns.next();
    this.gathering = undefined;
    // It waits for a connection even if the queue is full. One check serves all requests that wait for it, and most
    // of them need nothing else of the database.
    const how = { name: "catalogue-version", urgent: true };
    const reading = runSql<Found>(this.database, VERSION, how);
    this.turns.begin(reading);
    return this.named(await reading);
  }

  private named([found]: readonly Found[]): string {
    if (!found) return randomUUID(); // the row of catalogue_state is missing, so nothing is known
    if (found.rows > MOST_ROWS) this.fold();
    this.totals.turnTo(found.version);
    return `${this.build} ${found.version}`;
  }

  /** Folds in the background. If it fails, checks take longer until an attempt succeeds. */
  private fold(): void {
    if (performance.now() < this.nextFold) return;
    this.nextFold = performance.now() + FOLD_INTERVAL;
    this.folding = compactCatalogueChanges(this.primary).catch(() => undefined);
  }
}
