import sql from "sql-template-tag";
import { newestFirst, type ListQuery } from "../../database/list-query";
import { invalidInput } from "../../errors";
import { isStorableId } from "../input/ids";
import type { Lists } from "./lists";
import { pageRequest } from "./pagination";
import { isStorableTime } from "../input/times";

/** The position of a cursor's entry in a list that is sorted newest first. */
interface Position {
  readonly createdAt: Date;
  readonly id: number;
}

/** The number of entries that a client wants from a connection, and the entry after which they begin. */
export interface KeysetRequest {
  readonly first: number;
  readonly after: Position | undefined;
}

/** A page of keyset pagination (Relay's Cursor Connections). New entries in the list do not shift it. */
export interface KeysetPage<T> {
  readonly edges: { readonly cursor: string; readonly node: T }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** 0 if it was not requested. */
  readonly totalCount: number;
}

/**
 * Checks the arguments of a connection. `first` has the same bounds as a page size.
 *
 * @throws DomainError INVALID_INPUT
 */
export function keysetRequest(first: number, after: string | null | undefined): KeysetRequest {
  const { pageSize } = pageRequest(1, first);
  return { first: pageSize, after: typeof after === "string" ? decodeCursor(after) : undefined };
}

/**
 * Reads a page of a list that is sorted newest first. It reads one more entry than requested, to see if
 * there is a next page. `cost` is the cost of finding the entries (list-costs.ts).
 */
export async function readKeysetPage<T extends Position>(
  lists: Lists,
  { first, after }: KeysetRequest,
  list: Omit<ListQuery<T>, "from" | "orderBy" | "limit" | "offset">,
  cost = 0,
): Promise<KeysetPage<T>> {
  const query: ListQuery<T> = {
    ...list,
    ...(after && {
      from: sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id}::integer)`,
    }),
    orderBy: newestFirst,
    limit: first + 1,
    offset: 0n,
  };
  const { rows, total } = await lists.read(query, cost);
  return {
    edges: rows.slice(0, first).map((node) => ({ cursor: encodeCursor(node), node })),
    hasNextPage: rows.length > first,
    hasPreviousPage: after !== undefined,
    totalCount: total,
  };
}

const encodeCursor = ({ createdAt, id }: Position): string =>
  Buffer.from(`${createdAt.getTime()}:${id}`).toString("base64url");

function decodeCursor(cursor: string): Position {
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const [, time, id] = /^(-?[0-9]{1,15}):([0-9]{1,10})$/.exec(text) ?? [];
  const position = { createdAt: new Date(Number(time)), id: Number(id) };
  if (!isStorableTime(position.createdAt) || !isStorableId(position.id)) {
    throw invalidInput(["after must be a cursor of this connection"]);
  }
  return position;
}
