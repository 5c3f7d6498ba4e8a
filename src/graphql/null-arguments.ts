import type { ApolloServerPlugin } from "@apollo/server";
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
import { DomainError } from "../errors";
import { pageRequest } from "../services/lists/pagination";
import type { Context } from "./context";

type Variables = Record<string, unknown>;

/**
 * Refuses an operation, before any part of it runs, that passes null in a variable to an argument that must
 * not be null. Validation allows that variable if it or the argument has a default; graphql-js finds the
 * null only when it comes to the field, and reports it as a failure of the field.
 */
export const nullArgumentsPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ schema, operation, document, request }) => {
        if (operation) {
          const fragments = document.definitions.filter(
            (node) => node.kind === Kind.FRAGMENT_DEFINITION,
          );
          refuseNulls(schema, operation, fragments, request.variables ?? {});
        }
        return Promise.resolve();
      },
    }),
};

/** What is skipped is not checked, as it would not run. Each fragment is checked once. */
function refuseNulls(
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
  // Any value but null that fits its variable also fits wherever the variable is used.
  if (!hasNull) return;
  const { coerced } = getVariableValues(schema, variableDefinitions, given, { maxErrors: 1 });
  if (!coerced) return; // refused already
  const types = new TypeInfo(schema);
  const pending = new Set<OperationDefinitionNode | FragmentDefinitionNode>([operation]);
  const judge = (node: SelectionNode): false | undefined => {
    if (!isIncluded(node, coerced)) return false;
    const field = types.getFieldDef();
    if (node.kind === Kind.FIELD && field) judgeArguments(field, node, coerced);
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const spread = fragments.find(({ name }) => name.value === node.name.value);
      if (spread) pending.add(spread);
    }
    return undefined;
  };
  const visitor = visitWithTypeInfo(types, {
    Field: judge,
    InlineFragment: judge,
    FragmentSpread: judge,
  });
  // A set that grows while it is read: each fragment once, however often it is spread.
  for (const node of pending) visit(node, visitor);
}

function isIncluded(node: SelectionNode, variables: Variables): boolean {
  return refusingNulls(
    () =>
      getDirectiveValues(GraphQLSkipDirective, node, variables)?.if !== true &&
      getDirectiveValues(GraphQLIncludeDirective, node, variables)?.if !== false,
  );
}

function judgeArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Variables,
): void {
  refusingNulls(() => {
    const nulls = (node.arguments ?? []).flatMap(({ name, value }) => {
      const type = field.args.find((argument) => argument.name === name.value)?.type;
      const isNull = value.kind === Kind.VARIABLE && variables[value.name.value] === null;
      return isNull && isNonNullType(type) ? [name.value] : [];
    });
    const numberOf = (...names: string[]) =>
      names.some((name) => nulls.includes(name)) ? NaN : undefined;
    // Page arguments have the same messages as at REST.
    pageRequest(numberOf("page"), numberOf("pageSize", "first"));
    getArgumentValues(field, node, variables);
  });
}

/** The result of `judge`; what it throws gets the code of bad input. */
function refusingNulls<T>(judge: () => T): T {
  try {
    return judge();
  } catch (fault) {
    const { message } = fault as Error;
    throw new GraphQLError(message, {
      ...(fault instanceof GraphQLError && { nodes: fault.nodes ?? null }),
      ...(fault instanceof DomainError && { originalError: fault }),
      extensions: { code: "BAD_USER_INPUT", http: { status: 400 } },
    });
  }
}
