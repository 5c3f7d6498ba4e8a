import { isObject } from "../objects";
import type { InputOperation, Values } from "../operations/row-operation";
import type { Variables } from "../service";

/** An object as the administrator has seen it, and the variables that stand for it in a form. */
export interface Seen {
  readonly values: Values;
  readonly variables: Variables;
}

/** The values that a request of a form is to set, by field. */
export function wantedBy({ does }: InputOperation, sends: Variables): Values {
  const { hidden = [], onlyChanges } = does;
  const input = onlyChanges === undefined ? sends : sends[onlyChanges];
  const entries = Object.entries(isObject(input) ? input : {});
  return Object.fromEntries(entries.filter(([name]) => !hidden.includes(name)));
}

/**
 * The form for an object that somebody else has changed.
 *
 * @param sends the variables with which the form was sent
 * @returns what is seen from now on; and the variables that set on it what the administrator wants
 */
export function rebased(
  operation: InputOperation,
  sends: Variables,
  present: Values,
): { seen: Seen; variables: Variables } {
  const { loads, onlyChanges } = operation.does;
  const variables = loads ? loads.variables(present) : operation.variables(present);
  const wanted = wantedBy(operation, sends);
  const input = onlyChanges === undefined ? undefined : variables[onlyChanges];
  const changed =
    onlyChanges === undefined ? wanted : { [onlyChanges]: { ...(input as Values), ...wanted } };
  return { seen: { values: present, variables }, variables: { ...variables, ...changed } };
}
