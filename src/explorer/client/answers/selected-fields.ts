import {
  doTypesOverlap,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  TypeNameMetaFieldDef,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";

/** The schema and the fragments to which the selections of a document refer. */
export interface Sources {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** A field of an object in an answer. */
export interface SelectedField {
  /** Its key in the answer: an alias, or its name. */
  readonly key: string;
  readonly definition: GraphQLField<unknown, unknown>;
  /** All selections of the field under this key. Their subselections are merged. */
  readonly nodes: readonly FieldNode[];
}

/** The fields of a type that are selected, in the order of the selection. Fields that the type lacks are left out. */
export function selectedFields(
  sources: Sources,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
): SelectedField[] {
  const found = new Map<string, SelectedField & { nodes: FieldNode[] }>();
  const spread = new Set<string>();

  const collect = (parent: GraphQLCompositeType, { selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) add(parent, selection);
      else enter(parent, selection);
    }
  };
  const add = (parent: GraphQLCompositeType, node: FieldNode): void => {
    const key = node.alias?.value ?? node.name.value;
    const definition = fieldOf(parent, node.name.value);
    const existing = found.get(key);
    if (existing) existing.nodes.push(node);
    else if (definition) found.set(key, { key, definition, nodes: [node] });
  };
  const enter = (parent: GraphQLCompositeType, fragment: Fragment): void => {
    const { typeCondition, selectionSet } = entered(fragment) ?? {};
    const target = typeCondition ? sources.schema.getType(typeCondition.name.value) : parent;
    if (!selectionSet || !isCompositeType(target)) return;
    if (!doTypesOverlap(sources.schema, parent, target)) return;
    collect(isObjectType(parent) ? parent : target, selectionSet);
  };
  const entered = (fragment: Fragment) => {
    if (fragment.kind === Kind.INLINE_FRAGMENT) return fragment;
    const name = fragment.name.value;
    if (spread.has(name)) return undefined;
    spread.add(name);
    return sources.fragments.get(name);
  };

  for (const set of sets) collect(type, set);
  return [...found.values()];
}

type Fragment = Exclude<SelectionNode, FieldNode>;

/** The subselections of a field. */
export const selectionsOf = ({ nodes }: SelectedField): SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? []);

function fieldOf(type: GraphQLCompositeType, name: string) {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}
