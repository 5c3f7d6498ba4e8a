import type { Variables } from "../service";
import type { Values } from "./row-operation";

export interface Group {
  readonly label: string;
  readonly operations: readonly Prepared[];
}

/** An operation of the menu. */
export interface Prepared {
  readonly label: string;
  /** A document with one operation, which has a name. */
  readonly query: string;
  /** The variables with which it begins, without those that the user must fill in first. */
  readonly variables: () => Variables;
  /** Adapts the variables after a change in the form. */
  readonly follows?: (changed: Variables, before: Variables) => Variables;
  /** The message about an object that it has created, if it creates one. */
  readonly created?: (object: Values) => string;
}
