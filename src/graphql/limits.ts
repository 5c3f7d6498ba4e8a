import type { ApolloServerPlugin } from "@apollo/server";
import {
  getVariableValues,
  GraphQLError,
  Kind,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { invalidInput } from "../errors";
import type { Context } from "./context";
import { measureOperation, type Measure } from "./measure-operation";

/** Bounds of one operation. */
export interface OperationLimits {
  readonly maxDepth: number;
  readonly maxCost: number;
  readonly maxAliases: number;
}

/**
 * Refuses operations beyond the limits before anything of them runs. A request with
 * `extensions: { cost: true }` is told what it costs in the answer's `extensions.cost`.
 */
export const limitsPlugin = (limits: OperationLimits): ApolloServerPlugin<Context> => ({
  requestDidStart: () => {
    let measure: Measure | undefined;
    return Promise.resolve({
      didResolveOperation: ({ schema, document, operation, request }) => {
        if (!operation) return Promise.resolve(); // Apollo has refused it already
        measure = measureOperation({
          schema,
          operation,
          fragments: document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION),
          variables: variablesOf(schema, operation, request.variables ?? {}),
        });
        const faults = faultsOf(measure, limits);
        if (faults.length > 0) throw refused(invalidInput(faults));
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

/** The variables with their defaults. One fault is enough: each may repeat a value of any size. */
function variablesOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Record<string, unknown>,
): Record<string, unknown> {
  const { coerced, errors } = getVariableValues(schema, variableDefinitions, given, {
    maxErrors: 1,
  });
  if (coerced) return coerced;
  throw refused(errors[0], { code: "BAD_USER_INPUT" });
}

/** A refusal before anything runs, which `application/graphql-response+json` answers 400. */
const refused = (cause: Error | undefined, extensions = {}): GraphQLError =>
  new GraphQLError(cause?.message ?? "Refused", {
    ...(cause && { originalError: cause }),
    extensions: { ...extensions, http: { status: 400 } },
  });

const faultsOf = ({ depth, cost, aliases, logins }: Measure, limits: OperationLimits): string[] => [
  ...(depth > limits.maxDepth ? [`Depth ${depth} exceeds ${limits.maxDepth}`] : []),
  ...(cost > limits.maxCost ? [`Cost ${cost} exceeds ${limits.maxCost}`] : []),
  ...(aliases > limits.maxAliases ? [`${aliases} aliases exceed ${limits.maxAliases}`] : []),
  ...(logins > 1 ? ["login may occur once per operation"] : []),
];
