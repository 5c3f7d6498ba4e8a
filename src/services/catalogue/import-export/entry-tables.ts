import { columnName, type Column, type Held, type Shown } from "../../../vocabulary/columns";
import type { CategoryRecord } from "../categories";
import { categoryColumns, productColumns } from "../columns";
import type { ProductRecord } from "../products";

/**
 * Attributes that files leave out. The id, the version and the time of the last change belong to one database. A file
 * names the category of a product by its slug.
 */
type Left = "id" | "version" | "updatedAt" | "categoryId";

type Fields<Row, Columns> = {
  readonly [Name in Exclude<keyof Columns & keyof Row, Left>]: Shown<Row[Name]>;
};

/** A category in a file; the slug identifies it. */
export interface CategoryEntry extends Fields<CategoryRecord, typeof categoryColumns> {
  readonly type: "category";
}

/** A product in a file; the slug identifies it. */
export interface ProductEntry extends Fields<ProductRecord, typeof productColumns> {
  readonly type: "product";
  /** The slug of its category. */
  readonly category: string;
}

/** What a file has of a category or product. */
export type CatalogueEntry = CategoryEntry | ProductEntry;

/**
 * What happens if an entry lacks a field. `wrong`: its line is refused. `kept`: what is stored keeps its value, and
 * what is new gets the present time. `derived`: the entry is taken for a new one, and its name gives the value.
 */
type Lack = "wrong" | "kept" | "derived";

/** The fields of both kinds, in the order of a file. */
const fields = {
  category: {
    type: "wrong",
    slug: "derived",
    name: "wrong",
    isActive: "wrong",
    createdAt: "kept",
  },
  product: {
    type: "wrong",
    slug: "derived",
    name: "wrong",
    isActive: "wrong",
    createdAt: "kept",
    category: "wrong",
    price: "wrong",
    description: "wrong",
  },
} as const satisfies {
  readonly category: Readonly<Record<keyof CategoryEntry, Lack>>;
  readonly product: Readonly<Record<keyof ProductEntry, Lack>>;
};

/** The fields of a kind, in the order of a file. */
export const entryFields: Readonly<Record<CatalogueEntry["type"], readonly string[]>> = {
  category: Object.keys(fields.category),
  product: Object.keys(fields.product),
};

const fieldsWith = (holds: (lack: Lack) => boolean): string[] =>
  Object.entries({ ...fields.category, ...fields.product }).flatMap(([field, lack]) =>
    holds(lack) ? field : [],
  );

/** The fields that an entry may leave out. */
export const optionalFields: readonly string[] = fieldsWith((lack) => lack !== "wrong");

/** The times that stay unchanged if an entry leaves them out. */
const keptTimes: readonly string[] = fieldsWith((lack) => lack === "kept");

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
