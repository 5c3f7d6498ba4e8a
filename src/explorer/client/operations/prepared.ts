import type { Variables } from "../service";

export interface Group {
  readonly label: string;
  readonly operations: readonly Prepared[];
}

/** An operation that stands in the menu. */
export interface Prepared {
  readonly label: string;
  /** A document with one operation, which has a name. */
  readonly query: string;
  /** The variables that it begins with. What must be filled in first is left out. */
  readonly variables: () => Variables;
}
