import { randomUUID } from "node:crypto";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import type { Snapshot } from "../database/statements/snapshot";
import { runSql } from "../database/statements/sql";
import type { ListTotal } from "../lists/list-query";
import { TotalsByVersion } from "../lists/lists";
import { Batcher } from "./batcher";

/**
 * The first three values tell the database from any other into which a dump of it was restored: on another server, in
 * another database of this server, or in the same database. Every change replaces a random mark (migration 002).
 */
const VERSION = sql`
  SELECT concat_ws(' ', pg_postmaster_start_time(), catalogue_state.tableoid,
    (SELECT oid FROM pg_database WHERE datname = current_database()),
    marks # (SELECT coalesce(bit_xor(mark), 0) FROM catalogue_changes)) AS version
  FROM catalogue_state`;

interface Found {
  readonly version: string;
}

/** @param build identifies this build of the service; a version of another build is never equal */
const named = ([found]: readonly Found[], build: string): string =>
  // Without a row of catalogue_state nothing is known.
  found ? `${build} ${found.version}` : randomUUID();

/** The version of the catalogue in a snapshot; see {@link CatalogueVersion}. */
export const catalogueVersionIn = async (snapshot: Snapshot, build: string): Promise<string> =>
  named(await snapshot.rows<Found>(VERSION), build);

/**
 * The version of the catalogue. Every transaction that changes categories or products also changes the version
 * when it commits, also one of SQL by hand (migration 002). Two equal versions mean that the catalogue was
 * the same at both times, and at all times in between.
 */
export class CatalogueVersion {
  private readonly totals = new TotalsByVersion(VERSION);
  private readonly checks: Batcher<undefined, string>;

  /** @param database the database whose version this is; one that follows the primary has the same version later */
  constructor(database: Sequelize, build: string) {
    // It waits for a connection even if the queue is full. One check serves all requests that wait for it, and most
    // of them need nothing else of the database.
    const how = { name: "catalogue-version", urgent: true };
    this.checks = new Batcher(async () => {
      const found = await runSql<Found>(database, VERSION, how);
      const version = found[0]?.version ?? this.totals.version;
      if (version !== this.totals.version) this.totals.startVersion(version);
      return named(found, build);
    });
  }

  /** The version at a moment after this call. */
  current(): Promise<string> {
    return this.checks.run(undefined);
  }

  /** The total of the list of the catalogue with this name, cached for each version. */
  totalOf(list: string): ListTotal {
    return this.totals.of(list);
  }
}
