import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type GraphQLResolveInfo,
  type SelectionNode,
} from "graphql";

/** Whether the field that is being resolved is asked for a field of this name, in fragments too. */
export function isSelected(info: GraphQLResolveInfo, name: string): boolean {
  return info.fieldNodes.some((node) => includes(node.selectionSet?.selections ?? [], name, info));
}

function includes(
  selections: readonly SelectionNode[],
  name: string,
  info: GraphQLResolveInfo,
): boolean {
  return selections.some((node) => {
    const { variableValues } = info;
    if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
    if (getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if === false)
      return false;
    if (node.kind === Kind.FIELD) return node.name.value === name;
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : info.fragments[node.name.value];
    return includes(inner?.selectionSet.selections ?? [], name, info);
  });
}
