import { valueFromASTUntyped, Kind, type GraphQLInputType } from "graphql";
import type { OperationDefinitionNode } from "graphql";
import { valueOf } from "../objects";
import type { Variables } from "../service";
import type { SelectedField } from "./selected-fields";

/** What a request gives for an argument that a field has. */
export interface GivenArgument {
  readonly type: GraphQLInputType;
  /** The variable that it is bound to, if it is. */
  readonly variable: string | undefined;
  /** Its value, or its default; undefined where it has none. */
  readonly value: unknown;
}

export type GivenArguments = ReadonlyMap<string, GivenArgument>;

/** All arguments that a field has by the schema, with what a request gives for each. */
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
