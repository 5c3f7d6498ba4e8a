import { HeaderMap, type ApolloServerPlugin, type GraphQLResponse } from "@apollo/server";
import type { DocumentNode, GraphQLError, OperationDefinitionNode } from "graphql";
import type { GraphqlSettings } from "../config/settings";
import type { ErrorReports } from "../http/answer/failure-report";
import { nameOperation } from "../http/request/request-context";
import { refusalOf } from "../services/refusals";
import { DomainError } from "../vocabulary/errors";
import type { Context } from "./context";
import { type ErrorFormat, graphqlRefusal } from "./errors";
import { costOf, measureFor, refuseBeyond } from "./limits/operation-limits";
import type { Measure } from "./limits/measure";
import { nestingCheck } from "./operation/documents/nesting-check";
import { trustCheck, TrustedDocuments } from "./operation/documents/trusted-documents";
import {
  metricLabels,
  refuseSecretInUrl,
  summaryOf,
  type OperationSummary,
} from "./operation/summary";
import { refuseNulls } from "./operation/variables";

export const MAX_ERRORS = 10;

/** Whether the client asks for HTTP statuses other than 200 on errors. */
export const wantsStatuses = (accept = ""): boolean =>
  accept.includes("application/graphql-response+json");

/**
 * All steps of an operation but its execution, as one plugin, because the order counts: a step
 * relies on what the steps before it have refused or restored.
 */
export function operationPlugin(
  settings: Pick<GraphqlSettings, "documents" | "maxTokens" | "operationLimits">,
  { formatError, report }: { formatError: ErrorFormat } & Pick<ErrorReports, "report">,
): ApolloServerPlugin<Context> {
  const limits = settings.operationLimits;
  const trusted = settings.documents && new TrustedDocuments(settings.documents);
  const checks = [...(trusted ? [trustCheck(trusted)] : []), nestingCheck(settings.maxTokens)];
  const mayBeCached = (
    { extensions, query = "" }: { readonly extensions?: object; readonly query?: string },
    summary: OperationSummary | undefined,
  ): boolean =>
    // Where only trusted documents are open to all, any other document was sent by an administrator. Its answer is
    // not cached, because it would be given to everybody.
    Boolean(summary?.isCatalogueRead) && !extensions && (!trusted || trusted.has(query));
  return {
    // The document is not parsed yet. Apollo lets a plugin refuse it only after it was parsed and found valid, so a
    // valid one stands in for it until then.
    requestDidStart: async ({ request, contextValue }) => {
      let refusal: GraphQLError | undefined;
      for (const check of checks) refusal ??= await check(request, contextValue);
      if (refusal) request.query = "{ __typename }";
      let countedAs: string | undefined;
      let measure: Measure | undefined;
      let isCached = false;
      return {
        // The document is known to be valid.
        didResolveOperation: ({ schema, operation, document }) => {
          const summary = refusal ? undefined : summaryIn(document, operation);
          if (summary) {
            nameOperation(summary.name);
            ({ countedAs } = summary);
            refuseSecretInUrl(summary, request);
          }
          if (refusal) throw refusal;
          if (summary && operation) {
            const { fragments } = summary;
            const given = request.variables ?? {};
            measure = measureFor({ schema, operation, fragments }, given);
            refuseBeyond(limits, measure);
            contextValue.answer.assumed = measure.weight;
            refuseNulls(schema, operation, fragments, given);
          }
          return Promise.resolve();
        },
        // Nothing has refused the operation. Cached answers are sent without any of these steps.
        responseForOperation: async ({ operation, document }) => {
          if (!mayBeCached(request, summaryIn(document, operation))) return null;
          isCached = true;
          try {
            await contextValue.cacheable?.begin();
            return null;
          } catch (error) {
            const response = unavailableResponse(error, formatError);
            // If a replica is to blame, the request is repeated at the primary.
            const isRepeated = contextValue.route?.note(error);
            if (!isRepeated && !(error instanceof DomainError)) report(error, { status: 503 });
            return response;
          }
        },
        willSendResponse: ({ response: { body, http } }) => {
          // Under `application/json`, every request that was understood as GraphQL is answered 200, even with errors.
          // A request without a document was not understood, and a mutation by GET stays 405 (GraphQL over HTTP).
          const hasStatuses = wantsStatuses(request.http?.headers.get("accept"));
          if (request.query && http.status !== 405 && !hasStatuses) http.status = 200;
          const answer = body.kind === "single" ? body.singleResult : undefined;
          const [error] = answer?.errors ?? [];
          contextValue.label(metricLabels(countedAs, error && String(error.extensions?.code)));
          if (!answer) return Promise.resolve();
          if (answer.errors) answer.errors = answer.errors.slice(0, MAX_ERRORS);
          else if (isCached) contextValue.cacheable?.succeed();
          if (measure && request.extensions?.cost === true) {
            answer.extensions = { ...answer.extensions, cost: costOf(measure, limits) };
          }
          return Promise.resolve();
        },
      };
    },
  };
}

/** The summary of an operation; undefined if the document has none of the given name, whatever Apollo declares. */
const summaryIn = (
  document: DocumentNode,
  operation: OperationDefinitionNode | undefined,
): OperationSummary | undefined => operation && summaryOf(operation, document);

/** The answer if the version can't be read: then the catalogue can't be read either. */
function unavailableResponse(error: unknown, formatError: ErrorFormat): GraphQLResponse {
  const cause = refusalOf(error);
  if (!cause) throw error;
  const refusal = graphqlRefusal(cause);
  const errors = [formatError(refusal.toJSON(), refusal)];
  return {
    http: { status: 503, headers: new HeaderMap() },
    body: { kind: "single", singleResult: { errors } },
  };
}
