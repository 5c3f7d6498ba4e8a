import {
  getNamedType,
  isInputObjectType,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { inputType } from "./fields";

/** Whether what a field of this name holds must not be shown or stored. */
export const isSecret = (name: string): boolean => name.toLowerCase().includes("password");

/**
 * Whether an operation has variables that must not be stored.
 *
 * @param schema lets it look into input objects too
 */
export function hasSecrets(operation: OperationDefinitionNode, schema?: GraphQLSchema): boolean {
  const seen = new Set<GraphQLInputObjectType>();
  const holdsSecret = (type: GraphQLInputObjectType): boolean => {
    if (seen.has(type)) return false;
    seen.add(type);
    return Object.values(type.getFields()).some((field) => {
      const inner = getNamedType(field.type);
      return isSecret(field.name) || (isInputObjectType(inner) && holdsSecret(inner));
    });
  };
  return (operation.variableDefinitions ?? []).some(({ variable, type: node }) => {
    if (isSecret(variable.name.value)) return true;
    const type = schema && getNamedType(inputType(schema, node));
    return isInputObjectType(type) && holdsSecret(type);
  });
}
