import { Kind, parse } from "graphql";
import type { Prepared } from "../operations/prepared";
import type { Variables } from "../service";

/** What stands in the editors when an operation is opened. */
export const contentOf = (
  { query }: Pick<Prepared, "query">,
  variables: Variables,
): { query: string; variables: string } => ({
  query,
  variables: JSON.stringify(variables, null, 2),
});

let opened = 0;

/** A tab of GraphiQL for an operation. Tabs of the same content have the same hash. */
export function tabOf(operation: Pick<Prepared, "query">, initial: Variables) {
  const { query, variables } = contentOf(operation, initial);
  const title = nameOf(query);
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

/** The name of a prepared operation, which its document has as its only one. */
function nameOf(query: string): string {
  const [definition] = parse(query).definitions;
  const name = definition?.kind === Kind.OPERATION_DEFINITION && definition.name?.value;
  if (!name) throw new Error("A prepared operation has a name");
  return name;
}
