import {
  Kind,
  parse,
  type DocumentNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from "graphql";
import type { Request } from "./service";

interface Parsed {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** The operation that a request runs, and its fragments; undefined if there is no such operation. */
export function operationOf({ query, operationName }: Request): Parsed | undefined {
  const document = documentOf(query);
  const operation = document && operationIn(document, operationName);
  if (!operation) return undefined;
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  return { operation, fragments: new Map(fragments.map((each) => [each.name.value, each])) };
}

/** The operation of a document with this name; without a name, its only operation. */
export function operationIn(
  { definitions }: DocumentNode,
  name: string | undefined,
): OperationDefinitionNode | undefined {
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const named = operations.find((each) => each.name?.value === name);
  return operations.length === 1 ? operations[0] : named;
}

/** The parsed document; undefined if it can't be parsed. */
export function documentOf(query: string): DocumentNode | undefined {
  try {
    return parse(query);
  } catch {
    return undefined;
  }
}
