import {
  Kind,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

/**
 * The fields of Query or Mutation that a valid operation selects, whatever its aliases and fragments are. Fields
 * that it skips count as well.
 */
export function rootFieldsOf(
  { selectionSet }: OperationDefinitionNode,
  { definitions }: DocumentNode,
): ReadonlySet<string> {
  const fields = new Set<string>();
  const spread = new Set<string>();
  const gather = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) fields.add(node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) gather(node.selectionSet);
      else spread.add(node.name.value);
    }
  };
  gather(selectionSet);
  // A set also iterates over what is added meanwhile.
  for (const name of spread) {
    for (const each of definitions) {
      if (each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name) {
        gather(each.selectionSet);
      }
    }
  }
  return fields;
}
