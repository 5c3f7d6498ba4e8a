import type { ApolloServerPlugin } from "@apollo/server";
import type { MetricLabels } from "../../http/answer/metric-labels";
import { nameOperation } from "../../http/request/request-context";
import type { Context } from "../context";
import { isDocumentRefused } from "./documents/document-plugin";
import { summaryOf } from "./summary";

/** The operation of requests that could not be executed, for example because they are not valid. */
const NONE = "none";

/**
 * Names the operation of a request for the log, and labels the answer for metrics. Must come before the plugins
 * that refuse operations.
 */
export const operationLabelsPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: ({ request, contextValue }) => {
    let countedAs = NONE;
    return Promise.resolve({
      // Called when the document was found valid.
      didResolveOperation: ({ operation, document }) => {
        if (operation && !isDocumentRefused(request)) {
          const summary = summaryOf(operation, document);
          nameOperation(summary.name);
          ({ countedAs } = summary);
        }
        return Promise.resolve();
      },
      willSendResponse: ({ response: { body } }) => {
        const [error] = (body.kind === "single" && body.singleResult.errors) || [];
        contextValue.note(metricLabels(countedAs, error && String(error.extensions?.code)));
        return Promise.resolve();
      },
    });
  },
};

/** The labels of an answer to an operation, or to a request that has none. */
export const metricLabels = (operation = NONE, code = "OK"): MetricLabels => ({
  door: "graphql",
  operation,
  code,
});
