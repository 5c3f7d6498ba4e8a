import type { ApolloServerPlugin } from "@apollo/server";
import { Kind, type OperationDefinitionNode } from "graphql";
import { nameOperation } from "../../http/request/request-context";
import type { Context } from "../context";
import { isDocumentRefused } from "./documents/document-plugin";

/** Most fields in the name of an operation that has none of its own. */
const MOST_FIELDS = 5;

/** Names the operation for the log. Must come before the plugins that refuse operations. */
export const operationNamePlugin: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      didResolveOperation: ({ request, operation }) => {
        if (operation && !isDocumentRefused(request)) nameOperation(nameOf(operation));
        return Promise.resolve();
      },
    }),
};

/** The client's name of an operation, otherwise its first fields, such as `products,category`. */
function nameOf({ name, selectionSet }: OperationDefinitionNode): string {
  if (name) return name.value;
  const fields = selectionSet.selections.filter((node) => node.kind === Kind.FIELD);
  return fields
    .slice(0, MOST_FIELDS)
    .map((field) => field.name.value)
    .join(",");
}
