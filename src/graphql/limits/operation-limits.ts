import { getVariableValues, type GraphQLSchema, type OperationDefinitionNode } from "graphql";
import type { OperationLimits } from "../../config/settings";
import { invalidInput } from "../../vocabulary/errors";
import { invalid, outOfRange, type Issue } from "../../vocabulary/reasons";
import type { Measure } from "./measure";
import { measureOperation, type MeasuredRequest } from "./measure-operation";
import { graphqlRefusal } from "../errors";
import { attempts } from "../../services/operations";

/**
 * The measure of an operation with these variables.
 *
 * @throws GraphQLError if the variables don't fit
 */
export function measureFor(
  asked: Pick<MeasuredRequest, "schema" | "operation" | "fragments">,
  given: Record<string, unknown>,
): Measure {
  const variables = variablesOf(asked.schema, asked.operation, given);
  return measureOperation({ ...asked, variables });
}

/** @throws GraphQLError if an operation exceeds a limit, so that no part of it runs */
export function refuseBeyond(limits: OperationLimits, measure: Measure): void {
  const issues = issuesOf(measure, limits);
  if (issues.length > 0) throw graphqlRefusal(invalidInput(issues));
}

/** The member `extensions.cost` of the answer to a request with `extensions: { cost: true }`. */
export const costOf = ({ cost, depth }: Measure, { maxCost }: OperationLimits) => ({
  cost,
  maxCost,
  depth,
});

/** The variables with their defaults. Only the first error is reported: each one may quote a value of any size. */
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

const issuesOf = (
  { depth, cost, aliases, weight, ...tried }: Measure,
  { maxDepth, maxCost, maxAliases, maxWeight }: OperationLimits,
): Issue[] => [
  ...issueIfOver(depth, maxDepth, `Depth ${depth} exceeds ${maxDepth}`),
  ...issueIfOver(cost, maxCost, `Cost ${cost} exceeds ${maxCost}`),
  ...issueIfOver(aliases, maxAliases, `${aliases} aliases exceed ${maxAliases}`),
  ...issueIfOver(
    weight,
    maxWeight,
    `The answer would be too large: its weight exceeds ${maxWeight}`,
  ),
  ...issuesOfAttempts(tried),
];

/** Not `measure > limit`, so that NaN exceeds every limit: every comparison with NaN is false. */
const issueIfOver = (measure: number, limit: number, message: string): Issue[] =>
  !(measure <= limit) ? [outOfRange(message, { min: 0, max: limit })] : [];

/** All attempts count together: one operation must not try several passwords. */
function issuesOfAttempts({
  attempts: count,
  attempted,
}: Pick<Measure, "attempts" | "attempted">): Issue[] {
  if (count <= 1) return [];
  const fields = [...attempts].filter((name) => attempted.has(name));
  return [invalid(`${fields.join(" or ")} may occur once per operation`)];
}
