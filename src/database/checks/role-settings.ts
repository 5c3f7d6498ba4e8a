import type { Client } from "pg";
import { OperatorError } from "../../vocabulary/errors";
import { withClient } from "../connection/with-client";
import { MIGRATE_UP } from "../migrations/files";

const ISOLATION = "read committed";

/** Settings of the service's role in its database (migration 001), in the syntax of ALTER ROLE. */
const settings: Readonly<Record<string, string>> = {
  statement_timeout: "= '5s'",
  idle_in_transaction_session_timeout: "= '5s'",
  default_transaction_isolation: `= '${ISOLATION}'`,
  search_path: "FROM CURRENT",
};

/** A session of the service. Names are quoted if SQL needs it. */
interface Session {
  readonly role: string;
  readonly database: string;
  readonly isolation: string;
  readonly readOnly: string;
  /** Names of the settings that ALTER ROLE has given the role. */
  readonly own: readonly string[];
  /** The role whose word the audit log takes; null before the migrations. */
  readonly auditor: string | null;
}

/**
 * Checks the settings that the migrations gave the role, because a dump that is restored elsewhere does not
 * contain them. `warn` receives what is missing and the command to run. `databaseUrl` is the one that
 * the service uses, through a pooler if there is one.
 *
 * @throws OperatorError if the default isolation level is not the one that the service requires
 */
export async function checkRoleSettings(
  databaseUrl: string,
  warn: (message: string) => void,
): Promise<void> {
  const session = await withClient(databaseUrl, readSession);
  const { role, database, isolation, readOnly, auditor } = session;
  if (isolation !== ISOLATION) {
    throw new OperatorError(
      `Transactions of the role ${role} in the database ${database} are ${isolation} by default, which makes concurrent changes fail. As that role, run: ${MIGRATE_UP}\nIf there is a pooler, make it reconnect afterwards.`,
    );
  }
  const lack = lackOf(session);
  if (lack !== undefined) warn(`${lack}. As that role, run: ${MIGRATE_UP}`);
  if (auditor !== null && auditor !== role) {
    warn(
      `The role ${role} is not ${auditor}, which owns the audit log: all that the service changes is recorded as changes in the database by ${role}, and it can erase no customer. Let the service log in as ${auditor}, the role of the migrations.`,
    );
  }
  if (readOnly === "on") {
    warn(`The database ${database} is read-only: changes and orders will be answered 503`);
  }
}

/** Sets what the session's role lacks, and leaves alone what an operator has set. `warn` receives what was missing. */
export async function setRoleSettings(
  client: Client,
  warn: (message: string) => void,
): Promise<void> {
  const session = await readSession(client);
  const lack = lackOf(session);
  if (lack === undefined) return;
  if (session.readOnly === "on") {
    warn(`${lack}. They can't be set, because the database is read-only.`);
    return;
  }
  const { role, database } = session;
  const statements = missingIn(session).map(
    (name) => `ALTER ROLE ${role} IN DATABASE ${database} SET ${name} ${settings[name]}`,
  );
  await client.query(statements.join("; "));
  warn(`${lack}. They are set now.`);
}

/** A sentence about what is missing, without its full stop; undefined if nothing is. */
function lackOf(session: Session): string | undefined {
  const missing = missingIn(session).join(", ");
  if (missing === "") return undefined;
  return `The role ${session.role} lacks these settings in the database ${session.database}, as after the restore of a dump: ${missing}`;
}

/** The names of the settings to set, one that keeps the service from starting included. */
const missingIn = ({ own, isolation }: Session): string[] =>
  Object.keys(settings).filter(
    (name) =>
      !own.includes(name) || (name === "default_transaction_isolation" && isolation !== ISOLATION),
  );

async function readSession(client: Client): Promise<Session> {
  const { rows } = await client.query<Session>(
    `SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
       current_setting('default_transaction_isolation') AS isolation,
       current_setting('default_transaction_read_only') AS "readOnly",
       ARRAY(
         SELECT split_part(setting, '=', 1) FROM pg_db_role_setting, unnest(setconfig) AS setting
         WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = current_user)
           AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
       ) AS own,
       (SELECT quote_ident(pg_get_userbyid(proowner)) FROM pg_proc
        WHERE oid = to_regprocedure('record_changes()')) AS auditor`,
  );
  const [session] = rows;
  if (!session) throw new Error("A SELECT without a table has one row");
  return session;
}
