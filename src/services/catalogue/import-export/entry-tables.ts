import { columnName, type Column, type Held } from "../../../vocabulary/columns";
import { categoryColumns, productColumns } from "../columns";
import { entryFields, keptTimes, type CatalogueEntry } from "./entries";

/** A field of a file in SQL. The entry of the file is a row of the table `staged`. */
interface EntryField {
  readonly name: string;
  readonly holds: Held;
  /** The field of a stored entry. */
  readonly stored: string;
  /** The field after an import: of an entry that it creates, and of one that it changes. */
  readonly created: string;
  readonly changed: string;
  /** The column that it is stored in, and the value in that column. */
  readonly column: string;
  readonly valueOf: (field: string) => string;
}

/** A kind of entries in SQL. */
export interface EntryTable {
  readonly type: CatalogueEntry["type"];
  readonly table: "categories" | "products";
  /** What follows the table's name in a FROM clause, so that its fields can be read. */
  readonly joins: string;
  /** The fields in the order of a file, without the type. */
  readonly fields: readonly EntryField[];
  /** What a change sets besides the fields. */
  readonly touched: readonly string[];
}

const staged = (name: string): string => `staged."${name}"`;

function fieldOf(table: string, name: string, { holds }: Column): EntryField {
  const [column, isKept] = [columnName(name), keptTimes.includes(name)];
  const stored = `${table}.${column}`;
  return {
    name,
    holds,
    stored,
    created: isKept ? `coalesce(${staged(name)}, now())` : staged(name),
    changed: isKept ? `coalesce(${staged(name)}, ${stored})` : staged(name),
    column,
    valueOf: (field) => field,
  };
}

/** The category of a product: a file has its slug, and the table its id. */
const category: EntryField = {
  name: "category",
  holds: "text",
  stored: "categories.slug",
  created: staged("category"),
  changed: staged("category"),
  column: "category_id",
  valueOf: (slug) => `(SELECT id FROM categories WHERE slug = ${slug})`,
};

/** The fields with these names; the type is stored in no column. */
const fieldsOf = (
  table: string,
  names: readonly string[],
  columns: Readonly<Record<string, Column>>,
): EntryField[] =>
  names.flatMap((name) => {
    if (name === category.name) return category;
    const column = columns[name];
    return column ? fieldOf(table, name, column) : [];
  });

/** Both kinds of entries, in the order of a file. */
export const entryTables: Readonly<Record<CatalogueEntry["type"], EntryTable>> = {
  category: {
    type: "category",
    table: "categories",
    joins: "",
    fields: fieldsOf("categories", entryFields.category, categoryColumns),
    touched: [],
  },
  product: {
    type: "product",
    table: "products",
    joins: "LEFT JOIN categories ON categories.id = category_id",
    fields: fieldsOf("products", entryFields.product, productColumns),
    touched: ["updated_at = clock_timestamp()"],
  },
};

/** The fields that an import compares and changes: all but the slug, which tells entries apart. */
export const changeable = ({ fields }: EntryTable): EntryField[] =>
  fields.filter(({ name }) => name !== "slug");

/** The fields that are decimals. */
export const decimalFields: readonly string[] = Object.values(entryTables).flatMap(({ fields }) =>
  fields.flatMap(({ name, holds }) => (holds === "decimal" ? name : [])),
);
