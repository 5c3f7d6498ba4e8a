import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  type GraphQLResolveInfo,
  type SelectionNode,
} from "graphql";
import { createParameterDecorator } from "type-graphql";

/** Whether the client selects the field of this name below the one that is resolved, in fragments too. */
export const Selects = (name: string) =>
  createParameterDecorator(({ info }) => {
    const seen = new Set<string>();
    return info.fieldNodes.some((node) =>
      includes(node.selectionSet?.selections ?? [], name, info, seen),
    );
  });

/**
 * Looks into every fragment once: the number of ways in which fragments spread each other may be
 * exponential.
 */
function includes(
  selections: readonly SelectionNode[],
  name: string,
  info: GraphQLResolveInfo,
  seen: Set<string>,
): boolean {
  return selections.some((node) => {
    const { variableValues } = info;
    if (getDirectiveValues(GraphQLSkipDirective, node, variableValues)?.if === true) return false;
    if (getDirectiveValues(GraphQLIncludeDirective, node, variableValues)?.if === false)
      return false;
    if (node.kind === Kind.FIELD) return node.name.value === name;
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return includes(node.selectionSet.selections, name, info, seen);
    }
    const fragment = node.name.value;
    if (seen.has(fragment)) return false;
    seen.add(fragment);
    return includes(info.fragments[fragment]?.selectionSet.selections ?? [], name, info, seen);
  });
}
