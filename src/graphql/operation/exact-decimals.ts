import type { ApolloServerPlugin } from "@apollo/server";
import {
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type VariableDefinitionNode,
} from "graphql";
import { numeralAt, parseJson } from "../../vocabulary/exact-json";
import type { Context } from "../context";
import { graphqlRefusal } from "../graphql-refusal";
import { Decimal, exactDecimal } from "../schema/scalars";

/**
 * Restores the digits that the client sent in variables that are amounts; numbers of all other types stay as
 * JSON.parse read them. Must run before anything else reads the variables.
 */
export const exactDecimalsPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ schema, operation, request }) => {
        if (request.http?.method === "GET" && request.variables) {
          request.variables = variablesIn(request.http.search) ?? request.variables;
        }
        const { variables } = request;
        if (variables) restoreDecimals(schema, operation?.variableDefinitions ?? [], variables);
        return Promise.resolve();
      },
    }),
};

/** Reads the variables in the query string of a GET again, because Apollo rounded them. */
function variablesIn(search: string): Record<string, unknown> | undefined {
  const text = new URLSearchParams(search).get("variables");
  if (text === null) return undefined;
  try {
    return parseJson(text) as Record<string, unknown>;
  } catch (fault) {
    throw graphqlRefusal(fault as Error); // Apollo has found it to be JSON, so there are too many long numbers
  }
}

function restoreDecimals(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  variables: Record<string, unknown>,
): void {
  for (const { variable, type } of definitions) {
    const declared = typeFromAST(schema, type);
    if (isInputType(declared)) restore(declared, variables, variable.name.value);
  }
}

/** Restores the amounts in one value; the declared types bound the depth. */
function restore(type: GraphQLInputType, holder: object, key: string | number): void {
  const value: unknown = Reflect.get(holder, key);
  const nullable = getNullableType(type);
  if (nullable === Decimal) {
    const numeral = numeralAt(holder, key);
    if (numeral !== undefined) Reflect.set(holder, key, exactDecimal(numeral));
  } else if (isListType(nullable)) {
    const item = nullable.ofType;
    if (Array.isArray(value)) value.forEach((_, index) => restore(item, value, index));
    else restore(item, holder, key); // GraphQL takes a single item for a list of one
  } else if (isInputObjectType(nullable) && typeof value === "object" && value !== null) {
    for (const field of Object.values(nullable.getFields())) restore(field.type, value, field.name);
  }
}
