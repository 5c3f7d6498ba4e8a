import type { AnswerTable } from "./answer-table";
import type { TypedColumn } from "./columns";
import type { GivenArguments } from "./given-arguments";

/** A table with what its cells, its paging and its sorting need to know. */
export interface SourcedTable extends AnswerTable {
  readonly columns: readonly TypedColumn[];
  readonly kind: "list" | "page" | "connection" | "object";
  /** What the list's field is given. */
  readonly given: GivenArguments;
  readonly position: Position;
}

/** Where a part of a list is in the whole, as far as that was selected. */
export interface Position {
  readonly total?: number;
  readonly page?: number;
  readonly pageSize?: number;
  readonly totalPages?: number;
  readonly hasNextPage?: boolean;
  readonly hasPreviousPage?: boolean;
  readonly startCursor?: string;
  readonly endCursor?: string;
}
