import type { ApolloServerPlugin } from "@apollo/server";
import {
  Kind,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import type { MetricLabels } from "../../http/answer/metric-labels";
import type { Context } from "../context";
import { isDocumentRefused } from "./documents/document-plugin";

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

/** The one field of Query or Mutation that a valid operation selects, whatever its aliases and fragments are. */
function fieldOf({ selectionSet }: OperationDefinitionNode, { definitions }: DocumentNode): string {
  const fields = new Set<string>();
  const seen = new Set<string>();
  const gather = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) fields.add(node.name.value);
      else if (node.kind === Kind.INLINE_FRAGMENT) gather(node.selectionSet);
      else seen.add(node.name.value);
    }
  };
  gather(selectionSet);
  // A set also iterates over what is added meanwhile.
  for (const name of seen) {
    for (const each of definitions) {
      if (each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name) {
        gather(each.selectionSet);
      }
    }
  }
  const [field = NONE] = fields;
  return fields.size > 1 ? SEVERAL : field;
}
