import { DatabaseError, type Client } from "pg";
import { inClientTransaction } from "../with-client";
import { MigrationError } from "./error";

/** One file of a migration. */
export interface Script {
  /** Its name, such as `001-create-catalogue.up.sql`. */
  readonly file: string;
  readonly text: string;
}

/** The first line of a script that opts out of its transaction. */
const NO_TRANSACTION = /^-- no transaction *(?:\n|$)/;

/** The name, as it is written, of an index that a script creates concurrently. */
const CONCURRENT_INDEX =
  /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?("(?:[^"]|"")+"|[^\s"]+)\s+ON\b/i;

/**
 * Runs a script and then `record`, both in one transaction: a failure leaves nothing behind. A script
 * that opts out is one statement and recorded once it is done; the invalid index that a failed try
 * of it has left is dropped first.
 *
 * @throws MigrationError that names the file and, where PostgreSQL points at one, the line
 */
export async function runScript(
  client: Client,
  script: Script,
  record: () => Promise<unknown>,
): Promise<void> {
  if (NO_TRANSACTION.test(script.text)) {
    await runAlone(client, script);
    await record();
    return;
  }
  await inClientTransaction(client, async () => {
    await client.query(script.text).catch((error: unknown) => fail(script, error));
    await record();
  });
}

async function runAlone(client: Client, script: Script): Promise<void> {
  try {
    await dropInvalidIndex(client, script);
    // The extended protocol takes one statement; several that are sent as one text are a transaction.
    const statement = { text: script.text, queryMode: "extended" };
    await client.query(statement);
  } catch (error) {
    fail(script, error);
  }
}

/** A valid one is left alone, and the script fails or skips it as it says itself. */
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
  // How PostgreSQL refuses several statements in one, whatever language it speaks.
  if (
    error instanceof DatabaseError &&
    error.code === "42601" &&
    error.routine === "exec_parse_message"
  ) {
    return "a migration without a transaction is one statement; give the others files of their own";
  }
  return error instanceof Error ? error.message : String(error);
}

/** The line that PostgreSQL points at, as `:12`; nothing where it points nowhere. */
function lineOf(error: unknown, text: string): string {
  const position = error instanceof DatabaseError ? Number(error.position) : NaN;
  return position > 0 ? `:${text.slice(0, position).split("\n").length}` : "";
}
