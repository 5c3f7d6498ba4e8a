import { setTimeout } from "node:timers/promises";
import { DatabaseError, type Client } from "pg";
import { inClientTransaction } from "../connection/with-client";
import { MigrationError } from "./files";

export interface Script {
  /** Its name, such as `002-catalogue.up.sql`. */
  readonly file: string;
  readonly text: string;
}

/** SQLSTATE of a lock that was not had in time. */
const LOCK_NOT_AVAILABLE = "55P03";

/** Milliseconds for which a script is tried again if it does not get its locks, and between two attempts. */
const PATIENCE = 600_000;
const PAUSE = 1_000;

/** The first line of a script that opts out of running in a transaction. */
const NO_TRANSACTION = /^-- no transaction *(?:\n|$)/;

/** Captures the name of an index that a script creates concurrently, exactly as the script writes it. */
const CONCURRENT_INDEX =
  /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?("(?:[^"]|"")+"|[^\s"]+)\s+ON\b/i;

/**
 * Runs a script and then `record` in one transaction, so that a failure leaves nothing behind. A script
 * that opts out must be a single statement. It is recorded after it succeeds, and an invalid index that an
 * earlier failed attempt left behind is dropped first.
 *
 * A script's lock_timeout is short, so that writers queue only briefly behind it. It is shorter than the delay after which
 * PostgreSQL cancels a blocking autovacuum. So it is tried again for up to ten minutes; `waits` is called before the first
 * repetition.
 *
 * @throws MigrationError with the name of the file and, if PostgreSQL reports it, the line
 */
export async function runScript(
  client: Client,
  script: Script,
  { record, waits }: { readonly record: () => Promise<unknown>; readonly waits: () => void },
): Promise<void> {
  if (NO_TRANSACTION.test(script.text)) {
    await runAlone(client, script);
    await record();
    return;
  }
  const until = performance.now() + PATIENCE;
  for (let isFirst = true; ; isFirst = false) {
    try {
      await inClientTransaction(client, async () => {
        await client.query(script.text).catch((error: unknown) => fail(script, error));
        await record();
      });
      return;
    } catch (error) {
      if (!isLocked(error) || performance.now() > until) throw error;
      if (isFirst) waits();
      await setTimeout(PAUSE);
    }
  }
}

const isLocked = (error: unknown): boolean =>
  error instanceof MigrationError &&
  error.cause instanceof DatabaseError &&
  error.cause.code === LOCK_NOT_AVAILABLE;

async function runAlone(client: Client, script: Script): Promise<void> {
  try {
    await dropInvalidIndex(client, script);
    // The extended protocol accepts one statement only. Several in one text would run as a transaction.
    const statement = { text: script.text, queryMode: "extended" };
    await client.query(statement);
  } catch (error) {
    fail(script, error);
  }
}

/** Leaves a valid index alone: the script then fails, or skips it if it says IF NOT EXISTS. */
async function dropInvalidIndex(client: Client, { text }: Script): Promise<void> {
  const [, name] = CONCURRENT_INDEX.exec(text) ?? [];
  if (name === undefined) return;
  const { rowCount } = await client.query(
    "SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid",
    [name],
  );
  if (rowCount !== 0) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
}

function fail({ file, text }: Script, error: unknown): never {
  throw new MigrationError(`${file}${lineOf(error, text)}: ${reasonOf(error)}`, { cause: error });
}

function reasonOf(error: unknown): string {
  // PostgreSQL refuses several statements in one query. The message may be translated; code and routine are not.
  if (
    error instanceof DatabaseError &&
    error.code === "42601" &&
    error.routine === "exec_parse_message"
  ) {
    return "a migration without a transaction must be one statement; move the others to separate files";
  }
  return error instanceof Error ? error.message : String(error);
}

/** The line that PostgreSQL reports, as `:12`; empty if it reports none. */
function lineOf(error: unknown, text: string): string {
  const position = error instanceof DatabaseError ? Number(error.position) : NaN;
  return position > 0 ? `:${text.slice(0, position).split("\n").length}` : "";
}
