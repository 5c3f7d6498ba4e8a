import type { Variables } from "../service";
import type { Values } from "./row-operation";

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
  /** What the form makes of variables that it has changed. */
  readonly follows?: (changed: Variables, before: Variables) => Variables;
  /** What is said of the object that it has created, if it creates one. */
  readonly created?: (object: Values) => string;
}
