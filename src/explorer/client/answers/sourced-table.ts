import type { AnswerTable } from "./answer-table";
import type { TypedColumn } from "./columns";
import type { GivenArguments } from "./given-arguments";

/** A table with the data that its cells, its paging and its sorting need. */
export interface SourcedTable extends AnswerTable {
  readonly columns: readonly TypedColumn[];
  readonly kind: "list" | "page" | "connection" | "object";
  /** The arguments of the list's field. */
  readonly given: GivenArguments;
  readonly position: Position;
}

/** The position of a part in its list, as far as the operation selects it. */
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
