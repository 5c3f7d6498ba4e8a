import type { TestApp } from "./app";

/** All rows of all tables, as texts, by table. */
export async function dumpOf({ sql }: Pick<TestApp, "sql">): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  const dump: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await sql<{ row: string }>(
      `SELECT row_to_json(t)::text AS row FROM "${name}" AS t ORDER BY row_to_json(t)::text COLLATE "C"`,
    );
    dump[name] = rows.map(({ row }) => row);
  }
  return dump;
}

/** The tables that have a text anywhere, whatever its letter case. */
export async function tablesWith(app: Pick<TestApp, "sql">, text: string): Promise<string[]> {
  const has = (row: string): boolean => row.toLowerCase().includes(text.toLowerCase());
  return Object.entries(await dumpOf(app))
    .filter(([, rows]) => rows.some(has))
    .map(([name]) => name);
}
