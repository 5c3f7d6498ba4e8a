import { Kind, parse } from "graphql";
import type { Prepared } from "../operations/prepared";
import type { Variables } from "../service";

/** The texts of the editors when an operation is opened. */
export const contentOf = (
  { query }: Pick<Prepared, "query">,
  variables: Variables,
): { query: string; variables: string } => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

let opened = 0;

/** A GraphiQL tab for an operation. */
export function tabOf(operation: Pick<Prepared, "query">, initial: Variables) {
  const { query, variables } = contentOf(operation, initial);
  const title = nameOf(operation);
  return {
    id: `prepared-${Date.now()}-${opened++}`,
    hash: [query, variables, ""].join("|"),
    title,
    operationName: title,
    query,
    variables,
    headers: null,
    response: null,
  };
}

/** The name of a prepared operation. */
export function nameOf({ query }: Pick<Prepared, "query">): string {
  const [definition] = parse(query).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || !definition.name) {
    throw new Error("A prepared operation has a name");
  }
  return definition.name.value;
}
