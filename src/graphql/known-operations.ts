import { GraphQLError, type ASTVisitor, type ValidationContext } from "graphql";

/**
 * Refuses kinds of operations that the schema has none of, such as subscriptions. Of what stands in them
 * nothing could be judged; graphql-js 16 passes them all, and throws when it executes them.
 */
export const knownOperationsRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    const message = `The ${node.operation} operation is not supported by the schema.`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});
