import { Kind, type GraphQLResolveInfo, type SelectionNode } from "graphql";
import { createParameterDecorator } from "type-graphql";
import { isIncluded } from "../is-included";

/** Injects whether the client selects the subfield `name` of the resolved field, directly or in a fragment. */
export const Selects = (name: string) =>
  createParameterDecorator(({ info }) => {
    const seen = new Set<string>();
    return info.fieldNodes.some((node) =>
      includes(node.selectionSet?.selections ?? [], name, info, seen),
    );
  });

/** Looks into every fragment once, because fragments can spread each other in exponentially many ways. */
function includes(
  selections: readonly SelectionNode[],
  name: string,
  info: GraphQLResolveInfo,
  seen: Set<string>,
): boolean {
  return selections.some((node) => {
    if (!isIncluded(node, info.variableValues)) return false;
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
