import { valueFromASTUntyped, Kind, type GraphQLInputType } from "graphql";
import type { OperationDefinitionNode } from "graphql";
import { valueOf } from "../objects";
import type { Variables } from "../service";
import type { SelectedField } from "./selected-fields";

/** The value that a request gives to an argument of a field. */
export interface GivenArgument {
  readonly type: GraphQLInputType;
  /** The variable to which the argument is bound, if any. */
  readonly variable: string | undefined;
  /** The given value, otherwise the default; undefined if there is neither. */
  readonly value: unknown;
}

export type GivenArguments = ReadonlyMap<string, GivenArgument>;

/** All arguments that a field has in the schema, with the values that a request gives to them. */
export function givenArguments(
  { definition, nodes }: SelectedField,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Variables,
): GivenArguments {
  const given = nodes[0]?.arguments ?? [];
  const valueOfVariable = (name: string): unknown => {
    const value = valueOf(variables, name);
    if (value !== undefined) return value;
    const declared = variableDefinitions.find(({ variable }) => variable.name.value === name);
    return declared?.defaultValue && valueFromASTUntyped(declared.defaultValue);
  };
  const entries = definition.args.map(({ name, type, defaultValue }) => {
    const node = given.find((each) => each.name.value === name)?.value;
    const variable = node?.kind === Kind.VARIABLE ? node.name.value : undefined;
    const literal =
      node && variable === undefined ? valueFromASTUntyped(node, variables) : undefined;
    const value = (variable === undefined ? literal : valueOfVariable(variable)) ?? defaultValue;
    return [name, { type, variable, value }] as const;
  });
  return new Map(entries);
}
