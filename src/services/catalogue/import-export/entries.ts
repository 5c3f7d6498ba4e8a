import type { Shown } from "../../../vocabulary/columns";
import type { CategoryRecord } from "../categories";
import type { ProductRecord } from "../products";
import type { categoryColumns, productColumns } from "../columns";

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
export const keptTimes: readonly string[] = fieldsWith((lack) => lack === "kept");
