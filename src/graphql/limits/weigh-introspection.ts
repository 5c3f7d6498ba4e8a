import {
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { argumentsOf } from "./list-of-field";
import { BRACKETS, keyWeight, SPREAD } from "./weights";

/** What weighing needs to know of a request. */
interface WeighedRequest {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Record<string, unknown>;
}

type MetaField = GraphQLField<unknown, unknown>;

const metaFields: ReadonlyMap<string, MetaField> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

/** What is known of a field that asks for the schema itself; undefined of all others. */
export const metaFieldOf = ({ name }: FieldNode): MetaField | undefined =>
  metaFields.get(name.value);

/**
 * Weighs what `__schema` and `__type` answer, exactly, as the schema is known: every key counts, and
 * every selection is read once for each element of the schema. Returns a function for each such field
 * of one request; beyond `most` for all of them it stops and returns Infinity.
 */
export function introspectionScale(
  { schema, fragments, variables }: WeighedRequest,
  most: number,
): (node: FieldNode) => number {
  const info = { schema } as GraphQLResolveInfo; // all that the meta fields read of it
  const known = new Map<SelectionSetNode, Map<unknown, number>>();
  let total = 0;

  function weighElement(set: SelectionSetNode, type: GraphQLObjectType, element: unknown): void {
    const weights = known.get(set) ?? new Map<unknown, number>();
    known.set(set, weights);
    const weight = weights.get(element);
    if (weight !== undefined) {
      total += weight;
      return;
    }
    const before = total;
    for (const selection of set.selections) {
      if (total > most) return;
      weighSelection(selection, type, element);
    }
    weights.set(element, total - before);
  }

  function weighSelection(node: SelectionNode, type: GraphQLObjectType, element: unknown): void {
    if (node.kind === Kind.FIELD) {
      const field = type.getFields()[node.name.value];
      if (field) weighField(node, field, element);
      else total += keyWeight(nameOf(node)) + type.name.length + BRACKETS; // __typename
      return;
    }
    total += SPREAD;
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    if (inner) weighElement(inner.selectionSet, type, element);
  }

  function weighField(node: FieldNode, field: MetaField, element: unknown): void {
    total += keyWeight(nameOf(node));
    const args = field.args.length > 0 ? argumentsOf(field, node, variables) : {};
    weighValue(node, field, field.resolve?.(element, args, undefined, info));
  }

  function weighValue(node: FieldNode, field: MetaField, value: unknown): void {
    const type = getNamedType(field.type);
    if (total > most) return;
    total += BRACKETS;
    if (Array.isArray(value)) for (const each of value) weighValue(node, field, each);
    else if (isLeafType(type)) total += String(value).length;
    else if (isObjectType(type) && node.selectionSet && value) {
      weighElement(node.selectionSet, type, value);
    }
  }

  return (node) => {
    const before = total;
    const field = metaFieldOf(node);
    if (field) weighField(node, field, undefined);
    return total > most ? Infinity : total - before;
  };
}

const nameOf = ({ alias, name }: FieldNode): string => (alias ?? name).value;
