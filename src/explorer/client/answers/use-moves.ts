import type { Request, Variables } from "../service";
import type { ActiveTab } from "../workbench/active-tab";
import { changed, type Changes } from "./changes";
import type { TypedColumn } from "./columns";
import { asksForAnother, pagingOf, type Paging } from "./paging";
import { orderOf, sortedBy, sortingOf, type Order } from "./sorting";
import type { SourcedTable } from "./sourced-table";

/** Moves to other parts of a list, and to other orders of it. */
export interface Moves {
  readonly paging: Paging | undefined;
  readonly next: (() => void) | undefined;
  readonly previous: (() => void) | undefined;
  /** How a column is sorted; undefined if the list can't be sorted by it. */
  readonly orderOf: (column: TypedColumn) => Order | undefined;
  readonly sortBy: (column: TypedColumn) => void;
}

/** For each cursor, the cursor from which it was reached; undefined for the beginning of the list. */
export type VisitedCursors = Map<string, string | undefined>;

interface MovesOptions {
  readonly tab: ActiveTab;
  readonly table: SourcedTable;
  readonly request: Request;
  readonly isBusy: boolean;
  readonly visited: VisitedCursors;
}

/** The most cursors that are remembered. */
const VISITED_MAX = 1000;

/** Moves set the variables of the tab and run its operation. While the operation runs, they do nothing. */
export function useMoves({ tab, table, request, isBusy, visited }: MovesOptions): Moves {
  const paging = pagingOf(table, visited);
  const sorting = sortingOf(table);
  const before = request.variables ?? {};

  const run = (changes: (variables: Variables) => Changes) => {
    if (isBusy) return;
    const variables = tab.variables ?? before;
    tab.setVariables(changed(variables, changes(variables)));
    tab.run();
  };
  const to = (list: Paging, changes: Changes | undefined, remember?: () => void) =>
    changes &&
    (() =>
      run((variables) => {
        // The variables may have been edited since, and ask for another list. That is read from its beginning.
        if (asksForAnother(list, variables, before)) return list.first;
        remember?.();
        return changes;
      }));
  return {
    paging,
    next: paging && to(paging, paging.next, () => remember(visited, table, paging)),
    previous: paging && to(paging, paging.previous),
    orderOf: (column) => orderOf(sorting, column),
    sortBy: (column) => sorting && run(() => sortedBy(table, sorting, column)),
  };
}

/** Remembers how the next cursor was reached. */
function remember(visited: VisitedCursors, table: SourcedTable, { current }: Paging): void {
  const { endCursor } = table.position;
  const isReadBackwards = typeof table.given.get("before")?.value === "string";
  if (endCursor === undefined || isReadBackwards || typeof current === "number") return;
  visited.delete(endCursor);
  visited.set(endCursor, current);
  const [oldest] = visited.keys();
  if (visited.size > VISITED_MAX && oldest !== undefined) visited.delete(oldest);
}
