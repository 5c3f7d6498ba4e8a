import {
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from "graphql";
import { argumentsOf, lengthOf, pageSizeOf, priceOf } from "./list-of-field";
import { introspectionScale, metaFieldOf } from "./weigh-introspection";
import { BRACKETS, keyWeight, leafWeight, SPREAD } from "./weights";

/** What an operation asks for. */
export interface Measure {
  /** Levels of fields below each other. */
  readonly depth: number;
  /**
   * What it asks of the database: each row that it may load costs 1, rows of lists their page size or
   * an assumed length, and lists what finding their rows costs.
   */
  readonly cost: number;
  /** About the bytes of its answer and the work on each key of it; Infinity where introspection alone is too heavy. */
  readonly weight: number;
  /** Fields under another name than their own. */
  readonly aliases: number;
  /** Logins; each is a try. */
  readonly logins: number;
}

const NOTHING: Measure = { depth: 0, cost: 0, weight: 0, aliases: 0, logins: 0 };

/** What fields of our own say of themselves in `extensions`. */
interface Told {
  /** What an object costs, or a leaf; 1 and 0 by default. */
  readonly cost?: number;
  /** Characters of a typical text. */
  readonly typicalLength?: number;
}

/** What measuring needs to know of a request; the document must be valid. */
export interface MeasuredRequest {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
  /** With their defaults. */
  readonly variables: Record<string, unknown>;
  /** Introspection is not weighed beyond this. */
  readonly maxWeight: number;
}

/**
 * Measures an operation in one pass: every fragment is measured once for each page size that it is
 * spread under, however often it is spread, so that a document that would expand to millions of fields
 * is measured as fast as it is read. Introspection has aliases and weight alone; graphql-js bounds its depth.
 */
export function measureOperation(request: MeasuredRequest): Measure {
  const { schema, operation, variables, maxWeight } = request;
  const fragments = new Map(request.fragments.map((each) => [each.name.value, each]));
  const weighIntrospection = introspectionScale({ schema, fragments, variables }, maxWeight);
  const measured = new Map<string, Measure>();

  /** `entries` is the size of the page that the selections belong to. */
  function ofSelections(
    set: SelectionSetNode,
    parent: GraphQLNamedType | undefined,
    entries: number,
  ): Measure {
    return set.selections.map((node) => ofSelection(node, parent, entries)).reduce(add, NOTHING);
  }

  function ofSelection(
    node: SelectionNode,
    parent: GraphQLNamedType | undefined,
    entries: number,
  ): Measure {
    if (node.kind === Kind.FIELD) return ofField(node, parent, entries);
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      return add(ofFragment(node.name.value, entries), { ...NOTHING, weight: SPREAD });
    }
    const condition = node.typeCondition?.name.value;
    const type = condition === undefined ? parent : schema.getType(condition);
    return ofSelections(node.selectionSet, type, entries);
  }

  function ofFragment(name: string, entries: number): Measure {
    const fragment = fragments.get(name);
    if (!fragment) return NOTHING;
    const key = `${entries} ${name}`;
    const known = measured.get(key);
    if (known) return known;
    const type = schema.getType(fragment.typeCondition.name.value);
    const measure = ofSelections(fragment.selectionSet, type, entries);
    measured.set(key, measure);
    return measure;
  }

  function ofField(
    node: FieldNode,
    parent: GraphQLNamedType | undefined,
    entries: number,
  ): Measure {
    const aliases = node.alias ? 1 : 0;
    const key = keyWeight((node.alias ?? node.name).value);
    const metaField = metaFieldOf(node);
    if (metaField && node.selectionSet) {
      const inner = ofSelections(node.selectionSet, getNamedType(metaField.type), 1);
      return { ...NOTHING, aliases: aliases + inner.aliases, weight: weighIntrospection(node) };
    }
    const field = hasFields(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!field) return { ...NOTHING, aliases, weight: key + leafWeight("__typename") };
    const type = getNamedType(field.type);
    const length = lengthOf(field, entries);
    const told = field.extensions as Told;
    if (!node.selectionSet || !isCompositeType(type)) {
      const weight = key + length * (told.typicalLength ?? leafWeight(type.name));
      return { ...NOTHING, depth: 1, cost: told.cost ?? 0, aliases, weight };
    }
    const args = argumentsOf(field, node, variables);
    const inner = ofSelections(node.selectionSet, type, pageSizeOf(args));
    return {
      depth: 1 + inner.depth,
      cost: priceOf(field, args) + length * ((told.cost ?? 1) + inner.cost),
      weight: key + BRACKETS + length * (BRACKETS + inner.weight),
      aliases: aliases + inner.aliases,
      logins: inner.logins + (isLogin(parent, field) ? 1 : 0),
    };
  }

  const isLogin = (parent: GraphQLNamedType | undefined, field: GraphQLField<unknown, unknown>) =>
    parent === schema.getMutationType() && field.name === "login";

  const root = schema.getRootType(operation.operation) ?? undefined;
  return ofSelections(operation.selectionSet, root, 1);
}

const hasFields = (
  type: GraphQLNamedType | undefined,
): type is GraphQLObjectType | GraphQLInterfaceType => isObjectType(type) || isInterfaceType(type);

const add = (left: Measure, right: Measure): Measure => ({
  depth: Math.max(left.depth, right.depth),
  cost: left.cost + right.cost,
  weight: left.weight + right.weight,
  aliases: left.aliases + right.aliases,
  logins: left.logins + right.logins,
});
