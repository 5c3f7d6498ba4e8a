import { OperatorError } from "../../vocabulary/errors";
import { withClient } from "../connection/with-client";

const ISOLATION = "read committed";

/** Settings of the service's role in its database (migrations 008 and 009), in the syntax of ALTER ROLE. */
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
  /** The role whose word the audit log takes; null before migration 028. */
  readonly auditor: string | null;
}

/**
 * Checks the settings that the migrations gave the role, because a dump that is restored elsewhere does not
 * contain them. `warn` receives what is missing and the statements to run. `databaseUrl` is the one that
 * the service uses, through a pooler if there is one.
 *
 * @throws OperatorError if the default isolation level is not the one that the service requires
 */
export async function checkRoleSettings(
  databaseUrl: string,
  warn: (message: string) => void,
): Promise<void> {
  const session = await readSession(databaseUrl);
  const { role, database, isolation, readOnly, own, auditor } = session;
  if (isolation !== ISOLATION) {
    throw new OperatorError(
      `Transactions of the role ${role} in the database ${database} are ${isolation} by default, which makes concurrent changes fail. ${advice(session, ["default_transaction_isolation"])}\nIf there is a pooler, make it reconnect afterwards.`,
    );
  }
  const missing = Object.keys(settings).filter((name) => !own.includes(name));
  if (missing.length > 0) {
    warn(
      `The role ${role} lacks these settings in the database ${database}, as after the restore of a dump: ${missing.join(", ")}. ${advice(session, missing)}`,
    );
  }
  if (auditor !== null && auditor !== role) {
    warn(
      `The role ${role} is not ${auditor}, which owns the audit log: all that the service changes is recorded as changes in the database by ${role}, and it can erase no customer. Let the service log in as ${auditor}, the role of the migrations.`,
    );
  }
  if (readOnly === "on") {
    warn(`The database ${database} is read-only: changes and orders will be answered 503`);
  }
}

const advice = ({ role, database }: Session, names: readonly string[]): string =>
  [
    `Run in that database, as ${role} or as a superuser:`,
    ...names.map(
      (name) => `ALTER ROLE ${role} IN DATABASE ${database} SET ${name} ${settings[name]};`,
    ),
  ].join("\n");

async function readSession(databaseUrl: string): Promise<Session> {
  return withClient(databaseUrl, async (client) => {
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
  });
}
