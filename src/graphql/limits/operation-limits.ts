import type { ApolloServerPlugin } from "@apollo/server";
import { getVariableValues, type GraphQLSchema, type OperationDefinitionNode } from "graphql";
import type { OperationLimits } from "../../config/settings";
import { invalidInput } from "../../vocabulary/errors";
import { invalid, outOfRange, type Fault } from "../../vocabulary/reasons";
import type { Context } from "../context";
import { isDocumentRefused } from "../operation/documents/document-plugin";
import { summaryOf } from "../operation/summary";
import type { Measure } from "./measure";
import { measureOperation } from "./measure-operation";
import { graphqlRefusal } from "../graphql-refusal";

/**
 * Refuses operations that exceed a limit before any part of them runs. If the request has
 * `extensions: { cost: true }`, the answer has the operation's cost in `extensions.cost`.
 */
export const limitsPlugin = (limits: OperationLimits): ApolloServerPlugin<Context> => ({
  requestDidStart: () => {
    let measure: Measure | undefined;
    return Promise.resolve({
      didResolveOperation: ({ schema, document, operation, request, contextValue }) => {
        if (!operation || isDocumentRefused(request)) return Promise.resolve(); // it is refused already
        measure = measureOperation({
          schema,
          operation,
          fragments: summaryOf(operation, document).fragments,
          variables: variablesOf(schema, operation, request.variables ?? {}),
          maxWeight: limits.maxWeight,
        });
        const faults = faultsOf(measure, limits);
        if (faults.length > 0) throw graphqlRefusal(invalidInput(faults));
        contextValue.answer.assumed = measure.weight;
        return Promise.resolve();
      },
      willSendResponse: ({ request, response }) => {
        if (measure && request.extensions?.cost === true && response.body.kind === "single") {
          const { singleResult } = response.body;
          const cost = { cost: measure.cost, maxCost: limits.maxCost, depth: measure.depth };
          singleResult.extensions = { ...singleResult.extensions, cost };
        }
        return Promise.resolve();
      },
    });
  },
});

/** The variables with their defaults. Only the first fault is reported: each one may quote a value of any size. */
function variablesOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, given, {
    maxErrors: 1,
  });
  if (coerced) return coerced;
  throw graphqlRefusal(errors[0], { code: "BAD_USER_INPUT" });
}

const faultsOf = (
  { depth, cost, aliases, weight, ...attempts }: Measure,
  { maxDepth, maxCost, maxAliases, maxWeight }: OperationLimits,
): Fault[] => [
  ...faultIfOver(depth, maxDepth, `Depth ${depth} exceeds ${maxDepth}`),
  ...faultIfOver(cost, maxCost, `Cost ${cost} exceeds ${maxCost}`),
  ...faultIfOver(aliases, maxAliases, `${aliases} aliases exceed ${maxAliases}`),
  ...faultIfOver(
    weight,
    maxWeight,
    `The answer would be too large: its weight exceeds ${maxWeight}`,
  ),
  ...faultsOfAttempts(attempts),
];

/** Not `measure > limit`, so that NaN exceeds every limit: every comparison with NaN is false. */
const faultIfOver = (measure: number, limit: number, message: string): Fault[] =>
  !(measure <= limit) ? [outOfRange(message, { min: 0, max: limit })] : [];

/** Logins and changes of the password count together: one operation must not try several passwords. */
function faultsOfAttempts({
  logins,
  passwordChanges,
}: Pick<Measure, "logins" | "passwordChanges">): Fault[] {
  if (logins + passwordChanges <= 1) return [];
  const fields = [
    ...(logins > 0 ? ["login"] : []),
    ...(passwordChanges > 0 ? ["changePassword"] : []),
  ];
  return [invalid(`${fields.join(" or ")} may occur once per operation`)];
}
