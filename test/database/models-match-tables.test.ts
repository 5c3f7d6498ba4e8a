import type { DataType, Model, ModelAttributeColumnOptions, ModelStatic } from "sequelize";
import { connect } from "../../src/database/connection/pool";
import { createDatabase, query, type TestDatabase } from "../support/database";

interface Column {
  readonly type: string;
  readonly nullable: boolean;
  /** What the column holds where nothing is given; `generated` for ids, `now` for timestamps. */
  readonly default: string | null;
  /** The table and column that it refers to. */
  readonly references: string | null;
}

interface Table {
  readonly columns: Record<string, Column>;
  readonly primaryKey: string[];
  /** Unique keys by their columns; those on expressions, which no model can name, are left out. */
  readonly uniqueKeys: string[][];
}

let database: TestDatabase;
let modelled: Record<string, Table>;
let stored: Record<string, Table>;
beforeAll(async () => {
  database = await createDatabase();
  const sequelize = connect({ url: database.url, poolSize: 1 });
  const models = Object.values(sequelize.models);
  modelled = Object.fromEntries(models.map((model) => [model.tableName, tableOfModel(model)]));
  await sequelize.close();
  stored = await storedTables();
});
afterAll(() => database.drop());

/** What is no resource of the shop, and hence has no model. */
const withoutModel = [
  "schema_migrations",
  "login_failures",
  "kept_tables",
  "list_changes",
  "list_segments",
  "catalogue_changes",
  "catalogue_state",
  "customer_addresses",
];

test("every table has a model, and every model a table", () => {
  const tables = Object.keys(stored).filter((table) => !withoutModel.includes(table));
  expect(tables.toSorted()).toEqual(Object.keys(modelled).toSorted());
});

test.each([
  "admins",
  "categories",
  "newsletter_subscribers",
  "order_items",
  "orders",
  "product_prices",
  "products",
])("the model of %s is the table, column by column", (table) => {
  expect(modelled[table]).toBeDefined();
  expect(modelled[table]).toEqual(stored[table]);
});

function tableOfModel(model: ModelStatic<Model>): Table {
  const attributes = Object.entries<ModelAttributeColumnOptions>(model.getAttributes());
  const columnOf = (name: string, attribute: ModelAttributeColumnOptions): Column => ({
    type: typeOf(attribute.type),
    nullable: attribute.allowNull !== false && attribute.primaryKey !== true,
    default: defaultOf(model, name, attribute),
    references: referenceOf(attribute),
  });
  const uniqueKeys = new Map<unknown, string[]>();
  for (const [name, { unique, field = name }] of attributes) {
    if (unique === undefined || unique === false) continue;
    const key = unique === true ? Symbol(name) : unique;
    uniqueKeys.set(key, [...(uniqueKeys.get(key) ?? []), field]);
  }
  return {
    columns: Object.fromEntries(
      attributes.map(([name, attribute]) => [attribute.field ?? name, columnOf(name, attribute)]),
    ),
    primaryKey: attributes
      .filter(([, { primaryKey }]) => primaryKey)
      .map(([name, { field = name }]) => field),
    uniqueKeys: [...uniqueKeys.values()].toSorted(),
  };
}

interface TypeOptions {
  readonly key: string;
  readonly options?: { readonly precision?: number; readonly scale?: number };
  readonly _length?: number;
  readonly values?: string[];
}

function typeOf(type: DataType): string {
  const { key, options, _length, values } = type as unknown as TypeOptions;
  switch (key) {
    case "DATE":
      return `timestamp(${_length}) with time zone`;
    case "DECIMAL":
      return `numeric(${options?.precision},${options?.scale})`;
    case "ENUM":
      return `enum(${values?.join()})`;
    default:
      return key.toLowerCase();
  }
}

function defaultOf(
  { options }: ModelStatic<Model>,
  name: string,
  { autoIncrement, defaultValue }: ModelAttributeColumnOptions,
): string | null {
  if (autoIncrement) return "generated";
  const { timestamps = true, createdAt, updatedAt } = options;
  if (timestamps && name === "createdAt" && createdAt !== false) return "now";
  if (timestamps && name === "updatedAt" && updatedAt !== false) return "now";
  const value = defaultValue as string | boolean | undefined;
  return value === undefined ? null : String(value);
}

function referenceOf({ references }: ModelAttributeColumnOptions): string | null {
  if (references === undefined) return null;
  const { model, key } = references as { model: string | { tableName: string }; key: string };
  return `${typeof model === "string" ? model : model.tableName}(${key})`;
}

async function storedTables(): Promise<Record<string, Table>> {
  const columns = await query<Column & { table: string; name: string }>(
    database.url,
    `SELECT c.relname AS table, a.attname AS name, NOT a.attnotnull AS nullable,
            CASE WHEN t.typtype = 'e'
                 THEN 'enum(' || (SELECT string_agg(enumlabel, ',' ORDER BY enumsortorder)
                                  FROM pg_enum WHERE enumtypid = t.oid) || ')'
                 ELSE format_type(a.atttypid, a.atttypmod) END AS type,
            CASE WHEN a.attidentity <> '' THEN 'generated'
                 ELSE pg_get_expr(d.adbin, d.adrelid) END AS default,
            (SELECT f.confrelid::regclass || '(' || r.attname || ')' FROM pg_constraint f
             JOIN pg_attribute r ON r.attrelid = f.confrelid AND r.attnum = f.confkey[1]
             WHERE f.contype = 'f' AND f.conrelid = c.oid AND f.conkey = ARRAY[a.attnum]
            ) AS references
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                        AND a.attgenerated = '' -- what the database computes is no field of a model
     JOIN pg_type t ON t.oid = a.atttypid
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
     ORDER BY c.relname, a.attnum`,
  );
  const keys = await query<{ table: string; kind: "p" | "u"; columns: string[] }>(
    database.url,
    `SELECT c.conrelid::regclass::text AS table, c.contype AS kind,
            (SELECT array_agg(a.attname::text ORDER BY position)
             FROM unnest(c.conkey) WITH ORDINALITY AS key (number, position)
             JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = number) AS columns
     FROM pg_constraint c WHERE c.contype IN ('p', 'u')`,
  );
  const keysOf = (table: string, kind: "p" | "u"): string[][] =>
    keys.filter((key) => key.table === table && key.kind === kind).map((key) => key.columns);
  return Object.fromEntries(
    [...new Set(columns.map(({ table }) => table))].map((table) => [
      table,
      {
        columns: Object.fromEntries(
          columns
            .filter((column) => column.table === table)
            .map(({ name, type, nullable, default: value, references }) => [
              name,
              { type, nullable, default: value === null ? null : plain(value), references },
            ]),
        ),
        primaryKey: keysOf(table, "p").flat(),
        uniqueKeys: keysOf(table, "u").toSorted(),
      },
    ]),
  );
}

/** The value of a default expression, such as `PENDING` of `'PENDING'::order_status`. */
const plain = (expression: string): string =>
  expression === "now()" ? "now" : (/^'(.*)'::\w+$/.exec(expression)?.[1] ?? expression);
