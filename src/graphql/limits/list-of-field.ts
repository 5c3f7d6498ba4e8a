import {
  getArgumentValues,
  getNullableType,
  isListType,
  type FieldNode,
  type GraphQLField,
} from "graphql";
import { costOfSkipping } from "../../services/lists/list-costs";
import { MAX_PAGE_SIZE } from "../../services/lists/pagination";

type AnyField = GraphQLField<unknown, unknown>;
type Arguments = Record<string, unknown>;

/** The `extensions` of a field that describe its list. */
interface ListExtensions {
  /** Whether the length of the list is the page size of the parent field. */
  readonly isPage?: boolean;
  /** The cost of finding its rows. Reading one row by its id costs 1. */
  readonly findingCost?: (args: Arguments) => number;
}

/** The assumed length of a list without a page size, such as the categories or the items of an order. */
const ASSUMED_LENGTH = 10;

/** The arguments of a field with their defaults; none if they are invalid, because execution refuses them. */
export function argumentsOf(field: AnyField, node: FieldNode, variables: Arguments): Arguments {
  try {
    return getArgumentValues(field, node, variables);
  } catch {
    return {};
  }
}

/**
 * The page size that a field asks for; 1 if it is not a page. A size above the maximum counts as the maximum;
 * it is refused later, with its own message.
 */
export function pageSizeOf(args: Arguments): number {
  const size = args.pageSize ?? args.first;
  return typeof size === "number" ? Math.min(Math.max(size, 1), MAX_PAGE_SIZE) : 1;
}

/** The number of values of a field; `entries` is the page size of its parent field. */
export function lengthOf(field: AnyField, entries: number): number {
  if (!isListType(getNullableType(field.type))) return 1;
  return (field.extensions as ListExtensions).isPage === true ? entries : ASSUMED_LENGTH;
}

/** The cost of finding a field's rows, which comes on top of the cost of the rows. */
export function findingCostOf(field: AnyField, args: Arguments): number {
  const { findingCost = () => 0 } = field.extensions as ListExtensions;
  return findingCost(args) + costOfSkipping(skipped(args));
}

function skipped({ page, pageSize }: Arguments): bigint {
  const isPage = Number.isSafeInteger(page) && Number.isSafeInteger(pageSize);
  return isPage
    ? BigInt(Math.max(Number(page), 1) - 1) * BigInt(Math.max(Number(pageSize), 1))
    : 0n;
}
