import type { Client } from "pg";
import { MigrationError } from "./files";
import type { Migration } from "./files";

/** The session in which migrations run. Names are quoted if SQL needs it. */
interface Session {
  readonly role: string;
  readonly database: string;
  /** The schema in which new tables are created; null if there is none. */
  readonly schema: string | null;
  readonly mayCreateTables: boolean;
}

/** An extension that a migration needs. Names are quoted if SQL needs it. */
interface Extension {
  readonly name: string;
  /** Whether its files are installed on the server. */
  readonly isAvailable: boolean;
  readonly mayCreate: boolean;
  /** The schema that it is installed in; null if it is not installed. */
  readonly schema: string | null;
  /** Whether its objects can be used without naming its schema. */
  readonly isOnSearchPath: boolean;
}

/**
 * Checks, before anything is changed, that the session's role may create tables, and that the extensions of
 * these migrations exist or may be created.
 *
 * @throws MigrationError with the statements that the database's owner must run
 */
export async function assertRights(client: Client, pending: readonly Migration[]): Promise<void> {
  if (pending.length === 0) return;
  const session = await readSession(client);
  const faults = [...tableFaults(session), ...(await extensionFaults(client, session, pending))];
  if (faults.length > 0) throw new MigrationError(faults.join("\n"));
}

function tableFaults({ role, database, schema, mayCreateTables }: Session): string[] {
  if (schema === null) {
    return [
      `The role ${role} has no schema on its search path in the database ${database}. Ask the database's owner or a superuser to run:\nALTER ROLE ${role} IN DATABASE ${database} SET search_path = public;`,
    ];
  }
  if (mayCreateTables) return [];
  return [
    `The role ${role} may not create tables in the schema ${schema} of the database ${database}. Ask the schema's owner or a superuser to run, in that database:\nGRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};`,
  ];
}

async function extensionFaults(
  client: Client,
  session: Session,
  pending: readonly Migration[],
): Promise<string[]> {
  const needing = pending.filter(({ up }) => extensionsOf(up.text).length > 0);
  const names = new Set(needing.flatMap(({ up }) => extensionsOf(up.text)));
  const statements = (await readExtensions(client, [...names])).flatMap((each) =>
    remedyOf(each, session),
  );
  if (statements.length === 0) return [];
  return [
    `${needing.map(({ name }) => name).join(", ")} needs the extensions ${[...names].join(" and ")}, which the role ${session.role} can't install in the database ${session.database}. Ask the database's owner or a superuser to run, in that database:`,
    ...statements,
  ];
}

const extensionsOf = (text: string): string[] =>
  [...text.matchAll(/^CREATE EXTENSION IF NOT EXISTS (\w+);$/gm)].map(([, name = ""]) => name);

function remedyOf({ name, schema, ...found }: Extension, { role, ...session }: Session): string[] {
  if (schema !== null) {
    if (found.isOnSearchPath) return [];
    return [
      `ALTER EXTENSION ${name} SET SCHEMA ${session.schema ?? "public"};`,
      `-- or, if it must stay there: GRANT USAGE ON SCHEMA ${schema} TO ${role}; ALTER ROLE ${role} IN DATABASE ${session.database} SET search_path = ${session.schema ?? "public"}, ${schema};`,
    ];
  }
  if (!found.isAvailable) {
    return [
      `CREATE EXTENSION ${name}; -- after PostgreSQL's contrib package is installed on the server`,
    ];
  }
  return found.mayCreate ? [] : [`CREATE EXTENSION ${name};`];
}

async function readSession(client: Client): Promise<Session> {
  const { rows } = await client.query<Session>(
    `SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
       quote_ident(current_schema()) AS schema,
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreateTables"`,
  );
  const [session] = rows;
  if (!session) throw new Error("A SELECT without a table has one row");
  return session;
}

async function readExtensions(client: Client, names: readonly string[]): Promise<Extension[]> {
  const { rows } = await client.query<Extension>(
    `SELECT name, bool_or(version IS NOT NULL) AS "isAvailable",
       coalesce(bool_or(rolsuper OR NOT superuser
         OR trusted AND has_database_privilege(current_database(), 'CREATE')), false) AS "mayCreate",
       min(quote_ident(nspname)) AS schema,
       coalesce(bool_or(nspname = ANY (current_schemas(true))), false) AS "isOnSearchPath"
     FROM unnest($1::text[]) WITH ORDINALITY AS wanted (name, place)
     JOIN pg_roles ON rolname = current_user
     LEFT JOIN pg_available_extension_versions AS available USING (name)
     LEFT JOIN pg_extension ON extname = name
     LEFT JOIN pg_namespace ON pg_namespace.oid = extnamespace
     GROUP BY name, place ORDER BY place`,
    [names],
  );
  return rows;
}
