import type { Client } from "pg";
import { MigrationError } from "./error";
import type { Migration } from "./files";

/** Where the session's role stands in a database. Names are quoted where SQL needs it. */
interface Place {
  readonly role: string;
  readonly database: string;
  /** The schema in which things are created; null where there is none. */
  readonly schema: string | null;
  readonly mayCreateTables: boolean;
}

/** An extension that a migration needs, as the session finds it. Names are quoted where SQL needs it. */
interface Extension {
  readonly name: string;
  /** Whether the server has its files. */
  readonly isAvailable: boolean;
  readonly mayCreate: boolean;
  /** Where it is installed; null where it is not. */
  readonly schema: string | null;
  /** Whether what it holds is found without its schema's name. */
  readonly isFound: boolean;
}

/**
 * Makes sure, before anything is changed, that the session's role may create tables and that the extensions
 * of these migrations are there, or may be created.
 *
 * @throws MigrationError that says what the database's owner must run
 */
export async function assertRights(client: Client, pending: readonly Migration[]): Promise<void> {
  if (pending.length === 0) return;
  const place = await readPlace(client);
  const faults = [...tableFaults(place), ...(await extensionFaults(client, place, pending))];
  if (faults.length > 0) throw new MigrationError(faults.join("\n"));
}

function tableFaults({ role, database, schema, mayCreateTables }: Place): string[] {
  if (schema === null) {
    return [
      `The role ${role} finds no schema in the database ${database}. Let the database's owner or a superuser run:\nALTER ROLE ${role} IN DATABASE ${database} SET search_path = public;`,
    ];
  }
  if (mayCreateTables) return [];
  return [
    `The role ${role} may not create tables in the schema ${schema} of the database ${database}. Let the schema's owner or a superuser run, in that database:\nGRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};`,
  ];
}

async function extensionFaults(
  client: Client,
  place: Place,
  pending: readonly Migration[],
): Promise<string[]> {
  const needing = pending.filter(({ up }) => extensionsOf(up.text).length > 0);
  const names = new Set(needing.flatMap(({ up }) => extensionsOf(up.text)));
  const statements = (await readExtensions(client, [...names])).flatMap((each) =>
    remedyOf(each, place),
  );
  if (statements.length === 0) return [];
  return [
    `${needing.map(({ name }) => name).join(", ")} needs the extensions ${[...names].join(" and ")}, which the role ${place.role} can't bring into the database ${place.database}. Let the database's owner or a superuser run, in that database:`,
    ...statements,
  ];
}

/** The extensions that a migration's text creates. */
const extensionsOf = (text: string): string[] =>
  [...text.matchAll(/^CREATE EXTENSION IF NOT EXISTS (\w+);$/gm)].map(([, name = ""]) => name);

function remedyOf({ name, schema, ...found }: Extension, { role, ...place }: Place): string[] {
  if (schema !== null) {
    if (found.isFound) return [];
    return [
      `ALTER EXTENSION ${name} SET SCHEMA ${place.schema ?? "public"};`,
      `-- or, where it must stay: GRANT USAGE ON SCHEMA ${schema} TO ${role}; ALTER ROLE ${role} IN DATABASE ${place.database} SET search_path = ${place.schema ?? "public"}, ${schema};`,
    ];
  }
  if (!found.isAvailable) {
    return [`CREATE EXTENSION ${name}; -- once PostgreSQL's contrib package is on the server`];
  }
  return found.mayCreate ? [] : [`CREATE EXTENSION ${name};`];
}

async function readPlace(client: Client): Promise<Place> {
  const { rows } = await client.query<Place>(
    `SELECT quote_ident(current_user) AS role, quote_ident(current_database()) AS database,
       quote_ident(current_schema()) AS schema,
       coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreateTables"`,
  );
  const [place] = rows;
  if (!place) throw new Error("A SELECT without a table has one row");
  return place;
}

async function readExtensions(client: Client, names: readonly string[]): Promise<Extension[]> {
  const { rows } = await client.query<Extension>(
    `SELECT name, bool_or(version IS NOT NULL) AS "isAvailable",
       coalesce(bool_or(rolsuper OR NOT superuser
         OR trusted AND has_database_privilege(current_database(), 'CREATE')), false) AS "mayCreate",
       min(quote_ident(nspname)) AS schema,
       coalesce(bool_or(nspname = ANY (current_schemas(true))), false) AS "isFound"
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
