import type { ApolloServerPlugin } from "@apollo/server";
import type { DocumentNode, OperationDefinitionNode } from "graphql";
import type { MetricLabels } from "../../http/answer/metric-labels";
import type { Context } from "../context";
import { isDocumentRefused } from "./documents/document-plugin";
import { rootFieldsOf } from "./root-fields";

/** The operation of requests that could not be executed, for example because they are not valid. */
const NONE = "none";

/** The operation of requests that select several fields. */
const SEVERAL = "several";

/** Notes which field of the schema an operation selects, and the first error's code or `OK`. */
export const metricLabelsPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ contextValue, request, document, operation, response: { body } }) => {
        const [error] = (body.kind === "single" && body.singleResult.errors) || [];
        // Apollo sets the operation only after the document was found valid.
        const isKnown = operation && document && !isDocumentRefused(request);
        const name = isKnown ? fieldOf(operation, document) : NONE;
        contextValue.note(metricLabels(name, error && String(error.extensions?.code)));
        return Promise.resolve();
      },
    }),
};

/** A note about an operation, or about a request that has none. */
export const metricLabels = (operation = NONE, code = "OK"): MetricLabels => ({
  door: "graphql",
  operation,
  code,
});

/** The one field of Query or Mutation that a valid operation selects. */
function fieldOf(operation: OperationDefinitionNode, document: DocumentNode): string {
  const fields = rootFieldsOf(operation, document);
  const [field = NONE] = fields;
  return fields.size > 1 ? SEVERAL : field;
}
