import {
  getNamedType,
  isCompositeType,
  isUnionType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import {
  add,
  argumentsOf,
  BRACKETS,
  findingCostOf,
  keyWeight,
  leafWeight,
  lengthOf,
  nameOf,
  NOTHING,
  pageSizeOf,
  SPREAD,
  type Measure,
} from "./measure";
import { attempts } from "../../services/operations";

/** The fields for introspection, each with its weight: more than all that tools ask for. */
const introspection: ReadonlyMap<string, readonly [GraphQLField<unknown, unknown>, number]> =
  new Map([
    [SchemaMetaFieldDef.name, [SchemaMetaFieldDef, 400_000]],
    [TypeMetaFieldDef.name, [TypeMetaFieldDef, 50_000]],
  ]);

/** The `extensions` of a field that set its cost and weight. */
interface FieldExtensions {
  /** The cost of each value; by default 1 for an object and 0 for a leaf. */
  readonly cost?: number;
  /** Characters of a typical text. */
  readonly typicalLength?: number;
}

/** The parts of a request that are measured. The document must be valid. */
export interface MeasuredRequest {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
  readonly variables: Record<string, unknown>;
}

/**
 * Measures an operation in one pass. A fragment is measured once for each page size under which it is spread,
 * so a document that would expand to millions of fields is measured as fast as it is parsed. Introspection
 * counts only for aliases and weight; graphql-js bounds its depth.
 */
export function measureOperation(request: MeasuredRequest): Measure {
  const { schema, operation } = request;
  const root = schema.getRootType(operation.operation) ?? undefined;
  return new CostVisitor(request).ofSelections(operation.selectionSet, root, 1);
}

/** Measures the parts of one operation. `entries` is the page size of the parent field. */
class CostVisitor {
  readonly schema: GraphQLSchema;
  readonly variables: Record<string, unknown>;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly measured = new Map<string, Measure>();

  constructor({ schema, fragments, variables }: MeasuredRequest) {
    this.schema = schema;
    this.variables = variables;
    this.fragments = new Map(fragments.map((each) => [each.name.value, each]));
  }

  ofSelections(
    set: SelectionSetNode,
    parent: GraphQLNamedType | undefined,
    entries: number,
  ): Measure {
    return set.selections
      .map((node) => this.ofSelection(node, parent, entries))
      .reduce(add, NOTHING);
  }

  private ofSelection(
    node: SelectionNode,
    parent: GraphQLNamedType | undefined,
    entries: number,
  ): Measure {
    if (node.kind === Kind.FIELD) return this.ofField(node, parent, entries);
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      return add(this.ofFragment(node.name.value, entries), { ...NOTHING, weight: SPREAD });
    }
    const condition = node.typeCondition?.name.value;
    const type = condition === undefined ? parent : this.schema.getType(condition);
    return this.ofSelections(node.selectionSet, type, entries);
  }

  private ofFragment(name: string, entries: number): Measure {
    const fragment = this.fragments.get(name);
    if (!fragment) return NOTHING;
    const key = `${entries} ${name}`;
    const known = this.measured.get(key);
    if (known) return known;
    const type = this.schema.getType(fragment.typeCondition.name.value);
    const measure = this.ofSelections(fragment.selectionSet, type, entries);
    this.measured.set(key, measure);
    return measure;
  }

  private ofField(node: FieldNode, parent: GraphQLNamedType | undefined, entries: number): Measure {
    const hasFields = isCompositeType(parent) && !isUnionType(parent);
    const field = hasFields ? parent.getFields()[node.name.value] : undefined;
    const itself = {
      ...NOTHING,
      aliases: node.alias ? 1 : 0,
      ...(attempts.has(node.name.value) && { attempts: 1, attempted: new Set([node.name.value]) }),
    };
    return add(itself, field ? this.ofValue(node, field, entries) : this.ofMetaField(node));
  }

  /** Measures `__schema`, `__type` or `__typename`. */
  private ofMetaField(node: FieldNode): Measure {
    const [metaField, weight = 0] = introspection.get(node.name.value) ?? [];
    if (metaField && node.selectionSet) {
      const { aliases } = this.ofSelections(node.selectionSet, getNamedType(metaField.type), 1);
      // No tool uses aliases here, and each may double the answer.
      return { ...NOTHING, aliases, weight: weight * (1 + aliases) };
    }
    return { ...NOTHING, weight: keyWeight(nameOf(node)) + leafWeight(node.name.value) };
  }

  private ofValue(
    node: FieldNode,
    field: GraphQLField<unknown, unknown>,
    entries: number,
  ): Measure {
    const type = getNamedType(field.type);
    const args = argumentsOf(field, node, this.variables);
    const size = pageSizeOf(field, args);
    const length = lengthOf(field, entries, size);
    const key = keyWeight(nameOf(node));
    const { cost, typicalLength } = field.extensions as FieldExtensions;
    if (!node.selectionSet) {
      const weight = key + length * (typicalLength ?? leafWeight(type.name));
      return { ...NOTHING, depth: 1, cost: cost ?? 0, weight };
    }
    const inner = this.ofSelections(node.selectionSet, type, size);
    return {
      ...inner,
      depth: 1 + inner.depth,
      cost: findingCostOf(field, args) + length * ((cost ?? 1) + inner.cost),
      weight: key + BRACKETS + length * (BRACKETS + inner.weight),
    };
  }
}
