import type { Variables } from "../service";
import type { Changes } from "./changes";
import type { SourcedTable } from "./sourced-table";

/** How to get to the other parts of a list. */
export interface Paging {
  /** The variables that determine the part. */
  readonly variables: readonly string[];
  /** The part that is shown: the number of the page, or the cursor before the part. */
  readonly current: number | string | undefined;
  readonly totalPages: number | undefined;
  /** The changes that lead to another part; undefined if there is none. */
  readonly first: Changes;
  readonly next: Changes | undefined;
  readonly previous: Changes | undefined;
}

/** For each cursor, the cursor from which it was reached; undefined for the beginning of the list. */
export type Visited = ReadonlyMap<string, string | undefined>;

/**
 * The paging of a list. Undefined unless an argument for paging is bound to a variable.
 *
 * @param visited how the cursors were reached; a list that can't be read backwards is paged back along them
 */
export function pagingOf(table: SourcedTable, visited: Visited = new Map()): Paging | undefined {
  const { given } = table;
  if (given.get("page")?.variable !== undefined) return byPage(table);
  if (given.get("after")?.variable !== undefined) return byCursor(table, visited);
  return undefined;
}

/** The most entries of a part; undefined if not known. */
export function pageSizeOf({ position, given }: SourcedTable): number | undefined {
  const values = ["pageSize", "first", "last"].map((name) => given.get(name)?.value);
  return position.pageSize ?? values.find((value) => typeof value === "number");
}

/** How many parts the whole list has; undefined if not known. */
export function totalPagesOf(table: SourcedTable): number | undefined {
  const { total, totalPages } = table.position;
  const size = pageSizeOf(table);
  if (totalPages !== undefined) return totalPages;
  return total === undefined || !size ? undefined : Math.ceil(total / size);
}

function byPage(table: SourcedTable): Paging {
  const { variable = "", value } = table.given.get("page") ?? {};
  const current = table.position.page ?? (typeof value === "number" ? value : 1);
  const totalPages = totalPagesOf(table);
  const size = pageSizeOf(table);
  const isFull = table.rows.length > 0 && (size === undefined || table.rows.length >= size);
  const hasNext = totalPages === undefined ? isFull : current < totalPages;
  const before = Math.max(1, Math.min(current - 1, totalPages ?? current));
  return {
    variables: [variable],
    current,
    totalPages,
    first: { [variable]: 1 },
    next: hasNext ? { [variable]: current + 1 } : undefined,
    previous: current > 1 ? { [variable]: before } : undefined,
  };
}

function byCursor(table: SourcedTable, visited: Visited): Paging {
  const { given, position } = table;
  const variables = Object.fromEntries(
    ["after", "before", "first", "last"].flatMap((name) => {
      const variable = given.get(name)?.variable;
      return variable === undefined ? [] : [[name, variable]];
    }),
  ) as Partial<Record<"after" | "before" | "first" | "last", string>>;
  const after = given.get("after")?.value;
  const size = pageSizeOf(table);
  const at = (position: Readonly<Record<string, unknown>>): Changes =>
    Object.fromEntries(
      Object.entries(variables).map(([name, variable]) => [variable, position[name]]),
    );
  const forwards = (cursor: string | undefined) => at({ after: cursor, first: size });

  const isBehind = typeof after === "string";
  const canReadBackwards =
    variables.before !== undefined &&
    variables.last !== undefined &&
    (variables.first !== undefined || given.get("first")?.value === undefined);
  const backwards = (): Changes | undefined => {
    if (isBehind && visited.has(after)) return forwards(visited.get(after));
    if (!canReadBackwards || !position.hasPreviousPage || size === undefined) return undefined;
    if (position.startCursor === undefined) return undefined;
    return at({ before: position.startCursor, last: size });
  };
  const { hasNextPage = false, endCursor } = position;
  return {
    variables: Object.values(variables),
    current: isBehind ? after : undefined,
    totalPages: undefined,
    first: forwards(undefined),
    next: hasNextPage && endCursor !== undefined ? forwards(endCursor) : undefined,
    previous: backwards(),
  };
}

/** Whether two sets of variables ask for different lists, not only for different parts of one list. */
export function asksForAnother(list: Paging, one: Variables, other: Variables): boolean {
  const rest = (variables: Variables) =>
    JSON.stringify(
      Object.entries(variables)
        .filter(([name]) => !list.variables.includes(name))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  return rest(one) !== rest(other);
}
