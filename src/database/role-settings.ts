import { OperatorError } from "../errors";
import { withClient } from "./with-client";

const ISOLATION = "read committed";

/** What the migrations 008 and 009 set for the service's role in its database, as ALTER ROLE puts it. */
const settings: Readonly<Record<string, string>> = {
  statement_timeout: "= '5s'",
  idle_in_transaction_session_timeout: "= '5s'",
  default_transaction_isolation: `= '${ISOLATION}'`,
  search_path: "FROM CURRENT",
};

/** A session of the service, as it finds itself. Names are quoted where SQL needs it. */
interface Session {
  readonly role: string;
  readonly database: string;
  readonly isolation: string;
  readonly readOnly: string;
  /** Names of the settings that the role has of its own. */
  readonly own: readonly string[];
}

/**
 * Looks at what the migrations set for the role: a dump that is restored elsewhere does not carry it.
 * `warn` is told what is missing or strange, with what to run. `databaseUrl` is the service's own, by way
 * of a pooler where it has one.
 *
 * @throws OperatorError where transactions are stricter by default than the service can do with
 */
export async function checkRoleSettings(
  databaseUrl: string,
  warn: (message: string) => void,
): Promise<void> {
  const session = await readSession(databaseUrl);
  const { role, database, isolation, readOnly, own } = session;
  if (isolation !== ISOLATION) {
    throw new OperatorError(
      `Transactions of the role ${role} in the database ${database} are ${isolation} by default, which fails changes that meet. ${advice(session, ["default_transaction_isolation"])}\nWhere there is a pooler, let it connect anew afterwards.`,
    );
  }
  const missing = Object.keys(settings).filter((name) => !own.includes(name));
  if (missing.length > 0) {
    warn(
      `The role ${role} lacks settings of its own in the database ${database}, as after a dump that was restored elsewhere: ${missing.join(", ")}. ${advice(session, missing)}`,
    );
  }
  if (readOnly === "on") {
    warn(`The database ${database} is read-only: changes and orders will be answered 503`);
  }
}

const advice = ({ role, database }: Session, names: readonly string[]): string =>
  [
    `Run, in that database, as ${role} or as a superuser:`,
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
         ) AS own`,
    );
    const [session] = rows;
    if (!session) throw new Error("A SELECT without a table has one row");
    return session;
  });
}
