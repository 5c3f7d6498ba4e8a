import { Kind, type FieldNode, type GraphQLResolveInfo, type SelectionNode } from "graphql";
import { createParameterDecorator } from "type-graphql";
import { isIncluded } from "../../operation/is-included";

/** Injects whether {@link selects} holds for a path of subfields, such as `Selects("data", "category")`. */
export const Selects = (...path: [string, ...string[]]) =>
  createParameterDecorator(({ info }) => selects(info, path));

/** Whether the client selects a subfield of the resolved field, directly or in a fragment. */
export function selects(info: GraphQLResolveInfo, path: readonly string[]): boolean {
  const seen = new Set<string>();
  return info.fieldNodes.some((node) => includes(subfieldsOf(node), path, info, seen));
}

const subfieldsOf = ({ selectionSet }: FieldNode): readonly SelectionNode[] =>
  selectionSet?.selections ?? [];

/**
 * Looks into every fragment once for each part of the path, because fragments can spread each other in
 * exponentially many ways.
 */
function includes(
  selections: readonly SelectionNode[],
  path: readonly string[],
  info: GraphQLResolveInfo,
  seen: Set<string>,
): boolean {
  const [name, ...rest] = path;
  return selections.some((node) => {
    if (!isIncluded(node, info.variableValues)) return false;
    if (node.kind === Kind.FIELD) {
      return (
        node.name.value === name &&
        (rest.length === 0 || includes(subfieldsOf(node), rest, info, seen))
      );
    }
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return includes(node.selectionSet.selections, path, info, seen);
    }
    const visit = `${rest.length} ${node.name.value}`;
    if (seen.has(visit)) return false;
    seen.add(visit);
    const fragment = info.fragments[node.name.value];
    return includes(fragment?.selectionSet.selections ?? [], path, info, seen);
  });
}
