import { DatabaseError, type Client } from "pg";
import { inClientTransaction } from "../../../database/connection/with-client";
import { ConcurrentChange } from "../../../database/statements/failures";
import { holderInWords } from "../../../database/statements/lock-holders";
import { withRetries } from "../../../database/statements/transaction";
import { conflict } from "../../../vocabulary/errors";
import { NO_COUNTS, plan, shownChanges, type EntryChange, type PlanCounts } from "./plan";
import type { FileLine } from "./read-entry";
import { stageLines, withContradictions, type BadLines } from "./staging";
import { store, type StoreOptions } from "./store";

export interface ImportOptions extends StoreOptions {
  /** Whether nothing is stored. */
  readonly dryRun: boolean;
  /** The version that the catalogue must have, from a dry run; undefined: any. */
  readonly expectedCatalogue?: string | undefined;
  /** The most changes of the outcome. */
  readonly mostChanges: number;
}

/** What an import has done or, as a dry run, would do. */
export interface ImportOutcome extends PlanCounts {
  /** If there are any, nothing was stored, and the other properties are empty. */
  readonly badLines: BadLines;
  /** The first entries that are created or changed, in the order of the file. */
  readonly changes: readonly EntryChange[];
  /** The version of the catalogue with which the file was compared; opaque. */
  readonly catalogueVersion: string;
}

/** From this many written rows on, the statistics and the index of the search are brought up to date. */
const MANY = 10_000;

/**
 * Makes the catalogue have all entries of a file, in one transaction. A slug identifies a category or product.
 * Entries that already are as in the file are not written, and those that are not in the file stay as they are.
 * The lines may come in batches of any size; only one batch is in memory at a time.
 *
 * Others can change the catalogue during the import. It overwrites a change of a product that was committed before it
 * writes the product; a later change stays.
 *
 * @throws DomainError CONFLICT if another import is under way, if others change the same products all the time, or if
 *   the catalogue has changed since the dry run
 */
export async function importCatalogue(
  client: Client,
  lines: AsyncIterable<readonly FileLine[]>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  await client.query("SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0");
  if (!options.dryRun) await takeImportLock(client);
  const { version: catalogueVersion } = await expectedVersion(client, options);
  const badLines = await stageLines(client, lines);
  if (badLines.total > 0) {
    return refused(await withContradictions(client, badLines), catalogueVersion);
  }
  const outcome = await withRetries(() => carryOut(client, options)).catch((error: unknown) => {
    if (error instanceof ConcurrentChange) throw conflict(OTHERS_WAIT, { code: "IN_USE" });
    throw error;
  });
  if (!options.dryRun) await tidyUp(client, outcome);
  return outcome;
}

const refused = (badLines: BadLines, catalogueVersion: string): ImportOutcome => ({
  ...{ badLines, changes: [], ...NO_COUNTS, catalogueVersion },
});

const OTHERS_WAIT =
  "Others change the same products or categories all the time, and an import keeps nobody waiting. Nothing was imported; try again at a quieter time or with fewer changes";

/** Compares the staged entries with the shop and, unless it is a dry run, stores them. */
const carryOut = (client: Client, options: ImportOptions): Promise<ImportOutcome> =>
  inClientTransaction(client, async () => {
    // While the import waits for a lock, others wait for the locks that it holds.
    if (options.givesWay) await client.query("SET LOCAL lock_timeout = '500ms'");
    const before = await expectedVersion(client, options);
    const catalogueVersion = before.version;
    const badLines = await withContradictions(client, { first: [], total: 0 });
    if (badLines.total > 0) return refused(badLines, catalogueVersion);
    const counts = await plan(client);
    const changes = await shownChanges(client, options.mostChanges);
    if (!options.dryRun) {
      await store(client, counts, options).catch(throwOvertaken);
      await assertUnchanged(client, options, before);
    }
    return { badLines, changes, ...counts, catalogueVersion };
  });

/** The catalogue before the import: its version, and the marks of which that is the sum. */
interface Before {
  readonly version: string;
  readonly marks: readonly string[];
}

/** @throws DomainError CONFLICT if the version of the catalogue is not the expected one */
async function expectedVersion(
  client: Client,
  { expectedCatalogue }: Pick<ImportOptions, "expectedCatalogue">,
): Promise<Before> {
  const { rows } = await client.query<Before>(
    `SELECT concat(changes + cardinality(all_marks), '-', marks # total) AS version, all_marks AS marks
     FROM catalogue_state, (
       SELECT coalesce(array_agg(mark), '{}') AS all_marks, coalesce(bit_xor(mark), 0) AS total FROM catalogue_changes
     ) AS slots`,
  );
  const before = rows[0] ?? { version: "", marks: [] };
  if ((expectedCatalogue ?? before.version) === before.version) return before;
  throw changedSince();
}

/**
 * Each change gives a slot a new mark, which the present transaction sees once it is committed.
 *
 * @throws DomainError CONFLICT if others have changed the catalogue that was expected
 */
async function assertUnchanged(
  client: Client,
  { expectedCatalogue }: Pick<ImportOptions, "expectedCatalogue">,
  { marks }: Before,
): Promise<void> {
  if (expectedCatalogue === undefined) return;
  const { rows } = await client.query(
    `SELECT FROM catalogue_changes
     WHERE transaction IS DISTINCT FROM pg_current_xact_id_if_assigned() AND mark <> ALL ($1) LIMIT 1`,
    [marks],
  );
  if (rows.length > 0) throw changedSince();
}

const changedSince = () =>
  conflict("The catalogue has changed since the dry run; nothing was imported", {
    code: "INVALID",
    path: "expectedCatalogue",
  });

/**
 * SQLSTATEs that another transaction can cause between the plan and the write of a row: it has deleted the category
 * (not null, foreign key), created the same slug (unique), or holds a lock (lock not available). The import is then
 * planned anew.
 */
const OVERTAKEN = new Set(["23502", "23503", "23505", "55P03"]);

function throwOvertaken(error: unknown): never {
  if (!(error instanceof DatabaseError) || !OVERTAKEN.has(error.code ?? "")) throw error;
  throw new ConcurrentChange(error.message, { cause: error });
}

/** Ignores failures: the import is committed, and PostgreSQL also does this work by itself. */
async function tidyUp(client: Client, { categories, products }: PlanCounts): Promise<void> {
  const written = [categories, products].reduce(
    (sum, each) => sum + each.created + each.changed,
    0,
  );
  if (written < MANY) return;
  await client.query("VACUUM (ANALYZE) categories, products").catch(() => undefined);
}

/** An arbitrary number that nothing else in this database uses as an advisory lock. */
const LOCK = 7_238_003;

/**
 * Takes the lock that an import holds until its session ends.
 *
 * @throws DomainError CONFLICT if another import has it
 */
export async function takeImportLock(client: Client): Promise<void> {
  const { rows } = await client.query<{ isTaken: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS "isTaken"',
    [LOCK],
  );
  if (rows[0]?.isTaken !== true) {
    const holder = await holderInWords(client, LOCK);
    throw conflict(`Another import is under way${holder}; try again when it has ended`, {
      code: "IN_USE",
    });
  }
}
