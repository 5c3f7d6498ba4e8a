import {
  getArgumentValues,
  getDirectiveValues,
  getVariableValues,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isNonNullType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
} from "graphql";
import { DomainError } from "../../vocabulary/errors";
import { pageRequest } from "../../lists/pagination";

type Variables = Record<string, unknown>;

/**
 * Refuses an operation before any part of it runs if a variable passes null to an argument that must not be
 * null. Validation allows such a variable if it or the argument has a default; graphql-js finds the null
 * only when it executes the field, and reports it as a failure of the field. Does not check skipped selections,
 * because they do not run. Checks each fragment once.
 */
export function refuseNulls(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: readonly FragmentDefinitionNode[],
  given: Variables,
): void {
  const { variableDefinitions = [] } = operation;
  const hasNull = variableDefinitions.some(
    ({ variable, defaultValue }) =>
      given[variable.name.value] === null || defaultValue?.kind === Kind.NULL,
  );
  // Only null can fit a variable and not fit the argument that the variable is used for.
  if (!hasNull) return;
  const { coerced } = getVariableValues(schema, variableDefinitions, given, { maxErrors: 1 });
  if (!coerced) return; // the limits have refused the variables
  const types = new TypeInfo(schema);
  const pending = new Set<OperationDefinitionNode | FragmentDefinitionNode>([operation]);
  const check = (node: SelectionNode): false | undefined => {
    if (!asBadInput(() => isIncluded(node, coerced))) return false;
    const field = types.getFieldDef();
    if (node.kind === Kind.FIELD && field) checkArguments(field, node, coerced);
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const spread = fragments.find(({ name }) => name.value === node.name.value);
      if (spread) pending.add(spread);
    }
    return undefined;
  };
  const visitor = visitWithTypeInfo(types, {
    Field: check,
    InlineFragment: check,
    FragmentSpread: check,
  });
  // The set grows during this loop. It visits each fragment once, however often the fragment is spread.
  for (const node of pending) visit(node, visitor);
}

function checkArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Variables,
): void {
  asBadInput(() => {
    const nulls = (node.arguments ?? []).flatMap(({ name, value }) => {
      const type = field.args.find((argument) => argument.name === name.value)?.type;
      const isNull = value.kind === Kind.VARIABLE && variables[value.name.value] === null;
      return isNull && isNonNullType(type) ? [name.value] : [];
    });
    const nanIfNull = (name: string) => (nulls.includes(name) ? NaN : undefined);
    // Nulls in page arguments get the same messages as at REST.
    pageRequest(nanIfNull("page"), nanIfNull("pageSize"));
    getArgumentValues(field, node, variables);
  });
}

/** Runs `read`, and makes any error a refusal of bad input. */
function asBadInput<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { message } = error as Error;
    throw new GraphQLError(message, {
      ...(error instanceof GraphQLError && { nodes: error.nodes ?? null }),
      ...(error instanceof DomainError && { originalError: error }),
      extensions: { code: "BAD_USER_INPUT", http: { status: 400 } },
    });
  }
}

/**
 * Whether a selection runs, by its `@skip` and `@include`.
 *
 * @throws GraphQLError if a condition is null
 */
export const isIncluded = (node: SelectionNode, variables: Record<string, unknown>): boolean =>
  getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
  getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false;
