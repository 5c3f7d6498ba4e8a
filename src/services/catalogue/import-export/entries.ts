/** A category in a file; the slug identifies it. */
export interface CategoryEntry {
  readonly type: "category";
  readonly slug: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly createdAt: string;
}

/** A product in a file; the slug identifies it. */
export interface ProductEntry {
  readonly type: "product";
  readonly slug: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly createdAt: string;
  /** The slug of its category. */
  readonly category: string;
  /** A decimal string with 2 decimals. */
  readonly price: string;
  readonly description: string;
}

/**
 * What a file has of a category or product: everything but the id, which belongs to one database, and the
 * time of the last change, which is that of a change in this database.
 */
export type CatalogueEntry = CategoryEntry | ProductEntry;

/** The fields of both kinds, in the order of a file. */
export const entryFields = {
  category: ["type", "slug", "name", "isActive", "createdAt"],
  product: ["type", "slug", "name", "isActive", "createdAt", "category", "price", "description"],
} as const satisfies { [Type in CatalogueEntry["type"]]: readonly (keyof ProductEntry)[] };

/** The fields that an entry may leave out. */
export const optionalFields: readonly string[] = ["createdAt"];
