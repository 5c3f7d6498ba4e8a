import { Kind, OperationTypeNode } from "graphql";
import { valueOf } from "../objects";
import { operationOf } from "../operation-of";
import type { Request } from "../service";

/** Whether a request may run without a click: it is a query, and has all variables that it needs. */
export function runsByItself(request: Request): boolean {
  const operation = operationOf(request)?.operation;
  if (operation?.operation !== OperationTypeNode.QUERY) return false;
  return (operation.variableDefinitions ?? []).every(({ variable, type, defaultValue }) => {
    const mayBeAbsent = type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined;
    return mayBeAbsent || valueOf(request.variables, variable.name.value) !== undefined;
  });
}
