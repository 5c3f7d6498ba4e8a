import {
  getArgumentValues,
  getNullableType,
  isListType,
  type FieldNode,
  type GraphQLField,
} from "graphql";
import { costOfSkipping } from "../../lists/lists";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../../lists/pagination";

/** The size and cost of an operation, or of a part of one. */
export interface Measure {
  readonly depth: number;
  /**
   * The work of the database. Each row that may be loaded costs 1; a list has as many rows as its page size
   * or an assumed length, and adds the cost of finding them.
   */
  readonly cost: number;
  /** About the bytes of the answer plus the work on each key. */
  readonly weight: number;
  readonly aliases: number;
  /** Fields each of which is an attempt to prove who one is, such as `login`, and their names. */
  readonly attempts: number;
  readonly attempted: ReadonlySet<string>;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** The measure of an empty selection. */
export const NOTHING: Measure = {
  depth: 0,
  cost: 0,
  weight: 0,
  aliases: 0,
  attempts: 0,
  attempted: NO_NAMES,
};

/** The measure of two selections of the same parent. */
export const add = (left: Measure, right: Measure): Measure => ({
  depth: Math.max(left.depth, right.depth),
  cost: left.cost + right.cost,
  weight: left.weight + right.weight,
  aliases: left.aliases + right.aliases,
  attempts: left.attempts + right.attempts,
  attempted: union(left.attempted, right.attempted),
});

const union = (left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> =>
  right.size === 0 ? left : new Set([...left, ...right]);

/**
 * The weights of the parts of an answer: about their bytes as JSON, with texts of typical length, plus the
 * work of resolving each key. docs/graphql.md explains them.
 */

/** A key without its name and value: the work of resolving it, its quotes, colon and comma. */
const KEY = 20;

/** An object's or a list's brackets and comma. */
export const BRACKETS = 3;

/** A fragment spread, without the content of the fragment. */
export const SPREAD = 8;

/** A text without a typical length of its own, such as a name. */
const TEXT = 40;

const typicalLengths: Readonly<Record<string, number>> = {
  Boolean: 5,
  DateTime: 26,
  Decimal: 10,
  Int: 8,
};

/** The key of a field in the answer: its alias, or its name if it has none. */
export const nameOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;

export const keyWeight = (responseName: string): number => KEY + responseName.length;

/** The weight of a scalar or enum value, by the name of its type. */
export const leafWeight = (typeName: string): number => typicalLengths[typeName] ?? TEXT;

type AnyField = GraphQLField<unknown, unknown>;
type Arguments = Record<string, unknown>;

interface ListExtensions {
  /** Whether the length of the list is the page size of the parent field. */
  readonly isPage?: boolean;
  /** The cost of finding its rows. Reading one row by its id costs 1. */
  readonly findingCost?: (args: Arguments) => number;
}

/** The assumed length of a list without a page size, such as the categories or the items of an order. */
const ASSUMED_LENGTH = 10;

/** The arguments of a field with their defaults; none if they are invalid, because execution will refuse them. */
export function argumentsOf(field: AnyField, node: FieldNode, variables: Arguments): Arguments {
  if (field.args.length === 0) return {};
  try {
    return getArgumentValues(field, node, variables);
  } catch {
    return {};
  }
}

/**
 * The number of entries that a field asks for, at most the maximum of a page: a larger number is refused
 * later, with its own message. Without a number it is the default page size. Only pages, connections and
 * lists with a size use the result, so it does no harm for other fields.
 */
export function pageSizeOf({ args: declared }: AnyField, args: Arguments): number {
  const sizes = declared.filter(({ name }) => SIZES.has(name)).map(({ name }) => args[name]);
  const given = sizes.filter((size) => typeof size === "number");
  const most = given.length > 0 ? Math.max(...given) : DEFAULT_PAGE_SIZE;
  return Math.min(Math.max(most, 1), MAX_PAGE_SIZE);
}

const SIZES: ReadonlySet<string> = new Set(["pageSize", "first", "last"]);

/** The number of values of a field; `entries` is the page size of its parent field, `own` that of itself. */
export function lengthOf(field: AnyField, entries: number, own: number): number {
  if (!isListType(getNullableType(field.type))) return 1;
  if (field.args.some(({ name }) => SIZES.has(name))) return own;
  return (field.extensions as ListExtensions).isPage === true ? entries : ASSUMED_LENGTH;
}

/** The cost of finding a field's rows; the rows themselves cost extra. */
export function findingCostOf(field: AnyField, args: Arguments): number {
  const { findingCost = () => 0 } = field.extensions as ListExtensions;
  return findingCost(args) + costOfSkipping(skipped(args));
}

function skipped({ page, pageSize }: Arguments): bigint {
  if (typeof page !== "number" || typeof pageSize !== "number") return 0n;
  return BigInt(Math.max(page, 1) - 1) * BigInt(Math.max(pageSize, 1));
}
