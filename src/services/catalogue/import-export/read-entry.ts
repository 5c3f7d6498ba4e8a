import { DomainError } from "../../../vocabulary/errors";
import { validate } from "../../input/validate";
import { ImportedCategoryInput } from "../inputs/imported-category-input";
import { ImportedProductInput } from "../inputs/imported-product-input";
import { slugOf } from "../slugs";

/** A line of a file: an object, or the reason why the line is none. */
export type FileLine =
  | { readonly line: number; readonly entry: object }
  | { readonly line: number; readonly reason: string };

export type ImportedEntry = (ImportedCategoryInput | ImportedProductInput) & {
  readonly slug: string;
};

/** What is read of a line: an entry that keeps all rules, or the messages of those that it breaks. */
export type ReadEntry =
  | {
      readonly entry: ImportedEntry;
      /** Whether the slug is derived from the name. */
      readonly isDerived: boolean;
    }
  | {
      readonly reason: string;
      /** If the line is a category nevertheless, its slug, which products refer to. */
      readonly category?: string;
    };

/** Reads a line by the rules of the shop's inputs. */
export function readEntry(line: FileLine): ReadEntry {
  if ("reason" in line) return line;
  const type: unknown = Reflect.get(line.entry, "type");
  try {
    if (type === "category") return withSlug(validate(ImportedCategoryInput, line.entry));
    if (type === "product") return withSlug(validate(ImportedProductInput, line.entry));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const slug: unknown = Reflect.get(line.entry, "slug");
    const isCategory = type === "category" && isSlug(slug);
    return { reason: error.message, ...(isCategory && { category: slug }) };
  }
  return { reason: "type must be one of the following values: category, product" };
}

function withSlug(input: ImportedCategoryInput | ImportedProductInput): ReadEntry {
  const { slug = slugOf(input.name, input.type) } = input;
  return { isDerived: input.slug === undefined, entry: Object.assign(input, { slug }) };
}

const isSlug = (value: unknown): value is string =>
  typeof value === "string" && /^[a-z0-9-]{1,120}$/.test(value);
