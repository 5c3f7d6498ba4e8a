import * as React from "react";
import { isObject } from "../objects";
import { menuEntryOf } from "../operations";
import type { Request } from "../service";
import type { ActiveTab } from "../workbench/active-tab";
import { isSame } from "./values";

/** The requests after which the form has been emptied. */
const emptied = new WeakSet<Request>();

/**
 * Empties the form of an operation that has created an object, so that the next Enter does not create it again.
 *
 * @returns a message about the object, until the form is filled in for another one
 */
export function useCreated({ query, answered, variables, ...tab }: ActiveTab): string | undefined {
  const operation = menuEntryOf(query);
  const [object] = Object.values(answered?.answer.data ?? {});
  const created = isObject(object) ? operation?.created?.(object) : undefined;
  React.useEffect(() => {
    if (!operation || !answered || created === undefined || emptied.has(answered.request)) return;
    emptied.add(answered.request);
    // If the variables have been edited since, they are for the next object, and stay.
    if (isSame(variables, answered.request.variables)) tab.setVariables(operation.variables());
  }, [answered]);
  return operation && isSame(variables, operation.variables()) ? created : undefined;
}
