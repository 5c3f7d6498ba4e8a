import { DomainError } from "../../../vocabulary/errors";
import { Money } from "../../../vocabulary/money";
import { Description, Flag, Name, OneOf, Price, Slug, TimeText } from "../../input/fields";
import { Optional } from "../../input/rules";
import { validate } from "../../input/validate";
import { slugOf } from "../slugs";

/** A category of a file. */
class ImportedCategoryInput {
  @OneOf(["category"])
  type!: "category";

  /** If left out, the category is new, and its slug is derived from the name. */
  @Optional()
  @Slug()
  slug?: string;

  @Name()
  name!: string;

  @Flag()
  isActive!: boolean;

  /** If left out, a new category gets the present time, and a stored one keeps its time. */
  @Optional()
  @TimeText()
  createdAt?: Date;
}

/** A product of a file. */
class ImportedProductInput {
  @OneOf(["product"])
  type!: "product";

  /** If left out, the product is new, and its slug is derived from the name. */
  @Optional()
  @Slug()
  slug?: string;

  @Name()
  name!: string;

  @Flag()
  isActive!: boolean;

  /** If left out, a new product gets the present time, and a stored one keeps its time. */
  @Optional()
  @TimeText()
  createdAt?: Date;

  @Slug()
  category!: string;

  @Price()
  price!: Money;

  @Description()
  description!: string;
}

/** An object on a line of a file. */
export interface FileEntry {
  readonly line: number;
  readonly entry: object;
  /** Words a rule's message for the format of the file; by default the message stays as it is. */
  readonly explain?: (field: string, message: string) => string;
}

/** A line of a file: an object, or the reason why the line has none. */
export type FileLine = FileEntry | { readonly line: number; readonly reason: string };

/** The result of reading a line: an entry that follows all rules, or the messages of the rules that it breaks. */
type ReadEntry =
  | {
      readonly entry: object;
      /** Whether the slug is derived from the name: then the entry must be new. */
      readonly isDerived: boolean;
    }
  | {
      readonly reason: string;
      /** The slug, written or derived, if the line is a category nevertheless. Products may refer to it. */
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
    const category = type === "category" ? slugIn(line.entry) : undefined;
    return { reason: reasonOf(error, line), ...(category !== undefined && { category }) };
  }
  return { reason: "type must be one of the following values: category, product" };
}

function withSlug(input: ImportedCategoryInput | ImportedProductInput): ReadEntry {
  const { slug = slugOf(input.name, input.type) } = input;
  return { isDerived: input.slug === undefined, entry: Object.assign(input, { slug }) };
}

const reasonOf = (
  { messages, reasons }: DomainError,
  { explain = (_, message) => message }: FileEntry,
): string =>
  [messages]
    .flat()
    .map((message, index) => explain(reasons[index]?.path ?? "", message))
    .join("; ");

/** The slug, written or derived, of a category that breaks a rule; undefined if there is no usable one. */
function slugIn({ slug, name }: { slug?: unknown; name?: unknown }): string | undefined {
  if (slug === undefined && typeof name === "string" && name !== "")
    return slugOf(name, "category");
  return typeof slug === "string" && /^[a-z0-9-]{1,120}$/.test(slug) ? slug : undefined;
}
