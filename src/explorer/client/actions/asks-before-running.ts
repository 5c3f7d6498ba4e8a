import { Kind, OperationTypeNode, valueFromASTUntyped, type FieldNode } from "graphql";
import type { SelectionSetNode } from "graphql";
import { valueOf } from "../objects";
import { operationOf } from "../operation-of";
import type { Request, Variables } from "../service";

/**
 * The question to ask before a handwritten request runs. Undefined, unless one of its mutations can't be undone.
 */
export function asksBeforeRunning(request: Request): string | undefined {
  const parsed = operationOf(request);
  if (parsed?.operation.operation !== OperationTypeNode.MUTATION) return undefined;
  const { operation, fragments } = parsed;
  const given = (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => {
    const value = valueOf(request.variables, variable.name.value);
    const isLeftOut = value === undefined && defaultValue;
    return [variable.name.value, isLeftOut ? valueFromASTUntyped(defaultValue) : value];
  });
  const variables = Object.fromEntries(given) as Variables;
  const deeds = rootFields(operation.selectionSet, fragments).flatMap((field) =>
    deedOf(field.name.value, argumentsOf(field, variables)),
  );
  if (deeds.length === 0) return undefined;
  const question = deeds.join(", and ");
  return `${question.charAt(0).toUpperCase()}${question.slice(1)}? This can’t be undone.`;
}

/** What a field of Mutation does, if it can't be undone: a list with one deed, or an empty list. */
function deedOf(name: string, { id, status }: Variables): string[] {
  const which = typeof id === "number" || typeof id === "string" ? ` ${id}` : "";
  if (name === "setOrderStatus") return status === "CANCELLED" ? [`cancel order${which}`] : [];
  if (!name.startsWith("delete")) return [];
  const noun = name.slice("delete".length).replaceAll(/[A-Z]/g, (letter) => ` ${letter}`);
  return [`delete${noun.toLowerCase()}${which}`];
}

function argumentsOf(field: FieldNode, variables: Variables): Variables {
  const pairs = (field.arguments ?? []).map(({ name, value }) => [
    name.value,
    valueFromASTUntyped(value, variables),
  ]);
  return Object.fromEntries(pairs) as Variables;
}

type Fragments = NonNullable<ReturnType<typeof operationOf>>["fragments"];

/** The fields of the root, including those in fragments. */
function rootFields(root: SelectionSetNode, fragments: Fragments): FieldNode[] {
  const found: FieldNode[] = [];
  const spread = new Set<string>();
  const sets = [root];
  for (const { selections } of sets) {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) found.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) sets.push(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) sets.push(fragment.selectionSet);
      }
    }
  }
  return found;
}
