import { Kind, parse, type FragmentDefinitionNode, type OperationDefinitionNode } from "graphql";
import type { Request } from "../service";

interface Parsed {
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** The operation that a request runs, and the fragments beside it; undefined where it has none. */
export function operationOf({ query, operationName }: Request): Parsed | undefined {
  const definitions = definitionsOf(query);
  const operation = definitions.find(
    (each) =>
      each.kind === Kind.OPERATION_DEFINITION &&
      (!operationName || each.name?.value === operationName),
  );
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return undefined;
  const fragments = definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION);
  return { operation, fragments: new Map(fragments.map((each) => [each.name.value, each])) };
}

function definitionsOf(query: string) {
  try {
    return parse(query).definitions;
  } catch {
    return [];
  }
}
