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
import { argumentsOf, BRACKETS, keyWeight, nameOf, SPREAD } from "./measure";

interface WeighedRequest {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Record<string, unknown>;
}

type MetaField = GraphQLField<unknown, unknown>;

const metaFields: ReadonlyMap<string, MetaField> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]),
);

/** The definition of the field `__schema` or `__type`; undefined for all other fields. */
export const metaFieldOf = ({ name }: FieldNode): MetaField | undefined =>
  metaFields.get(name.value);

/**
 * Weighs the answers to `__schema` and `__type` in one request. The weight is exact, because the schema is
 * known. Every key counts, but a selection is read only once for each element of the schema.
 */
export class IntrospectionScale {
  private readonly info: GraphQLResolveInfo;
  /** Weights of elements of the schema, by the selection and then by the element. */
  private readonly known = new Map<SelectionSetNode, Map<unknown, number>>();
  private total = 0;

  constructor(
    private readonly request: WeighedRequest,
    /** Weighing stops once the total exceeds this weight. */
    private readonly most: number,
  ) {
    this.info = { schema: request.schema } as GraphQLResolveInfo; // the meta fields read only the schema
  }

  /** The weight of a field `__schema` or `__type`; less than that once the total exceeds `most`. */
  weigh(node: FieldNode, field: MetaField): number {
    const before = this.total;
    this.weighField(node, field, undefined);
    return this.total - before;
  }

  private weighElement(set: SelectionSetNode, type: GraphQLObjectType, element: unknown): void {
    const weights = this.known.get(set) ?? new Map<unknown, number>();
    this.known.set(set, weights);
    const weight = weights.get(element);
    if (weight !== undefined) {
      this.total += weight;
      return;
    }
    const before = this.total;
    for (const selection of set.selections) this.weighSelection(selection, type, element);
    weights.set(element, this.total - before);
  }

  private weighSelection(node: SelectionNode, type: GraphQLObjectType, element: unknown): void {
    if (node.kind === Kind.FIELD) {
      const field = type.getFields()[node.name.value];
      if (field) this.weighField(node, field, element);
      else this.total += keyWeight(nameOf(node)) + type.name.length + BRACKETS; // __typename
      return;
    }
    this.total += SPREAD;
    const { fragments } = this.request;
    const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
    if (inner) this.weighElement(inner.selectionSet, type, element);
  }

  private weighField(node: FieldNode, field: MetaField, element: unknown): void {
    this.total += keyWeight(nameOf(node));
    const args = argumentsOf(field, node, this.request.variables);
    this.weighValue(node, field, field.resolve?.(element, args, undefined, this.info));
  }

  private weighValue(node: FieldNode, field: MetaField, value: unknown): void {
    if (this.total > this.most) return;
    this.total += BRACKETS;
    const type = getNamedType(field.type);
    if (Array.isArray(value)) for (const each of value) this.weighValue(node, field, each);
    else if (isLeafType(type)) this.total += String(value).length;
    else if (isObjectType(type) && node.selectionSet && value) {
      this.weighElement(node.selectionSet, type, value);
    }
  }
}
