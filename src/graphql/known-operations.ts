import { GraphQLError, type ASTVisitor, type ValidationContext } from "graphql";

/**
 * Refuses kinds of operations that the schema does not have, such as subscriptions. Nothing in them can be
 * validated: graphql-js 16 lets them pass, and throws when it executes them.
 */
export const knownOperationsRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    const message = `The ${node.operation} operation is not supported by the schema.`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});
