import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { MAX_PAGE_SIZE } from "../services/pagination";

/** What an operation asks for. */
export interface Measure {
  /** Levels of fields below each other. */
  readonly depth: number;
  /** Objects that it may load: each costs 1, times the page size or an assumed length of the lists it is in. */
  readonly cost: number;
  /** Fields under another name than their own. */
  readonly aliases: number;
  /** Logins; each is a try. */
  readonly logins: number;
}

const NOTHING: Measure = { depth: 0, cost: 0, aliases: 0, logins: 0 };

/** What lists count that have no page size: categories of a shop, items of an order. */
const ASSUMED_LENGTH = 10;

/** What measuring needs to know of a request; the document must be valid. */
export interface MeasuredRequest {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: readonly FragmentDefinitionNode[];
  /** With their defaults. */
  readonly variables: Record<string, unknown>;
}

/**
 * Measures an operation in one pass: every fragment is measured once, however often it is spread, so
 * that a document that would expand to millions of fields is measured as fast as it is read.
 * Introspection counts nothing; graphql-js bounds its depth.
 */
export function measureOperation(request: MeasuredRequest): Measure {
  const { schema, operation, variables } = request;
  const fragments = new Map(request.fragments.map((each) => [each.name.value, each]));
  const measured = new Map<string, Measure>();

  function ofSelections(set: SelectionSetNode, parent: GraphQLNamedType | undefined): Measure {
    return set.selections
      .map((selection) => {
        if (selection.kind === Kind.FIELD) return ofField(selection, parent);
        if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value);
        const condition = selection.typeCondition?.name.value;
        const type = condition === undefined ? parent : schema.getType(condition);
        return ofSelections(selection.selectionSet, type);
      })
      .reduce(add, NOTHING);
  }

  function ofFragment(name: string): Measure {
    const fragment = fragments.get(name);
    if (!fragment) return NOTHING;
    const known = measured.get(name);
    if (known) return known;
    const type = schema.getType(fragment.typeCondition.name.value);
    const measure = ofSelections(fragment.selectionSet, type);
    measured.set(name, measure);
    return measure;
  }

  function ofField(node: FieldNode, parent: GraphQLNamedType | undefined): Measure {
    const aliases = node.alias ? 1 : 0;
    const field = hasFields(parent) ? parent.getFields()[node.name.value] : undefined;
    if (!field) return { ...NOTHING, aliases };
    const logins = parent === schema.getMutationType() && field.name === "login" ? 1 : 0;
    if (!node.selectionSet || !isCompositeType(getNamedType(field.type))) {
      return { depth: 1, cost: 0, aliases, logins };
    }
    const inner = ofSelections(node.selectionSet, getNamedType(field.type));
    return {
      depth: 1 + inner.depth,
      cost: 1 + lengthOf(field, node, variables) * inner.cost,
      aliases: aliases + inner.aliases,
      logins: logins + inner.logins,
    };
  }

  const root = schema.getRootType(operation.operation) ?? undefined;
  return ofSelections(operation.selectionSet, root);
}

const hasFields = (
  type: GraphQLNamedType | undefined,
): type is GraphQLObjectType | GraphQLInterfaceType => isObjectType(type) || isInterfaceType(type);

const add = (left: Measure, right: Measure): Measure => ({
  depth: Math.max(left.depth, right.depth),
  cost: left.cost + right.cost,
  aliases: left.aliases + right.aliases,
  logins: left.logins + right.logins,
});

/** The page size that a field is asked for; undefined where it has none. */
function pageSizeOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): number | undefined {
  const argument = field.args.find(({ name }) => name === "pageSize" || name === "first");
  if (!argument) return undefined;
  const { value } = node.arguments?.find(({ name }) => name.value === argument.name) ?? {};
  const asked = value && valueFromASTUntyped(value, variables);
  return typeof asked === "number" ? asked : Number(argument.defaultValue);
}

/** How often what is asked for below a field is loaded. */
function lengthOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): number {
  const size = pageSizeOf(field, node, variables);
  // A larger page is refused with a message of its own.
  if (size !== undefined) return Math.min(Math.max(size, 1), MAX_PAGE_SIZE);
  if (!isListType(getNullableType(field.type))) return 1;
  const { assumedLength = ASSUMED_LENGTH } = field.extensions as { assumedLength?: number };
  return assumedLength;
}
