import { GraphQLError, type ASTVisitor, type ValidationContext } from "graphql";

/**
 * Refuses operations of a kind that the schema does not have, such as subscriptions. graphql-js 16 accepts
 * them as valid and throws when it executes them.
 */
export const knownOperationsRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    const message = `The ${node.operation} operation is not supported by the schema.`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});
