import {
  getArgumentValues,
  getNullableType,
  isListType,
  type FieldNode,
  type GraphQLField,
} from "graphql";
import { priceOfSkipping } from "../../services/lists/list-prices";
import { MAX_PAGE_SIZE } from "../../services/lists/pagination";

type AnyField = GraphQLField<unknown, unknown>;
type Arguments = Record<string, unknown>;

/** What our own fields say about their lists in `extensions`. */
interface ToldOfList {
  /** Whether its length is the page size of the field above. */
  readonly isPage?: boolean;
  /** What the database does to find its rows, in rows that are read by id. */
  readonly price?: (args: Arguments) => number;
}

/** The assumed length of a list without a page size, such as the categories or the items of an order. */
const ASSUMED_LENGTH = 10;

/** The arguments of a field with their defaults; none if they are invalid, which execution refuses. */
export function argumentsOf(field: AnyField, node: FieldNode, variables: Arguments): Arguments {
  try {
    return getArgumentValues(field, node, variables);
  } catch {
    return {};
  }
}

/**
 * The page size that a field asks for; 1 if it is no page. One above the maximum is refused later, with its
 * own message.
 */
export function pageSizeOf(args: Arguments): number {
  const size = args.pageSize ?? args.first;
  return typeof size === "number" ? Math.min(Math.max(size, 1), MAX_PAGE_SIZE) : 1;
}

/** How many values a field has, below a page of `entries`. */
export function lengthOf(field: AnyField, entries: number): number {
  if (!isListType(getNullableType(field.type))) return 1;
  return (field.extensions as ToldOfList).isPage === true ? entries : ASSUMED_LENGTH;
}

/** What finding a field's rows costs beside the rows. */
export function priceOf(field: AnyField, args: Arguments): number {
  const { price = () => 0 } = field.extensions as ToldOfList;
  return price(args) + priceOfSkipping(skipped(args));
}

function skipped({ page, pageSize }: Arguments): bigint {
  const isPage = Number.isSafeInteger(page) && Number.isSafeInteger(pageSize);
  return isPage
    ? BigInt(Math.max(Number(page), 1) - 1) * BigInt(Math.max(Number(pageSize), 1))
    : 0n;
}
