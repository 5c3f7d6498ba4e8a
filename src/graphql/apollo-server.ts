import { ApolloServer, type ApolloServerPlugin, type HTTPGraphQLResponse } from "@apollo/server";
import type { Context } from "./context";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import type { FormattedExecutionResult } from "graphql";
import type { Logger } from "pino";
import type { GraphqlSettings } from "../config/settings";
import type { ErrorReports } from "../http/answer/failure-report";
import type { Services } from "../services";
import { documentPlugin, nestingCheck } from "./operation/documents/document-plugin";
import { DocumentStore } from "./operation/documents/document-store";
import { trustCheck } from "./operation/documents/trust-check";
import { TrustedDocuments } from "./operation/documents/trusted-documents";
import type { ErrorFormat } from "./errors";
import { exactDecimalsPlugin, nullArgumentsPlugin } from "./operation/variables";
import { knownOperationsRule } from "./operation/known-operations";
import { responseCachePlugin } from "./response-cache-plugin";
import { limitsPlugin } from "./limits/operation-limits";
import { operationLabelsPlugin, postOnlyPlugin } from "./operation/summary";
import { createSchema } from "./schema/schema";

/** The most errors in one answer. */
const MAX_ERRORS = 10;

/** Whether the client asks for HTTP statuses other than 200 on errors. */
export const wantsStatuses = (accept = ""): boolean =>
  accept.includes("application/graphql-response+json");

/**
 * Sets the statuses that the specification "GraphQL over HTTP" asks for, and shortens the list of errors. Under
 * `application/json`, every request that was understood as GraphQL is answered 200, even with errors; only
 * `application/graphql-response+json` has other statuses. A request without a document was not understood,
 * and a mutation by GET stays 405.
 */
const httpPlugin: ApolloServerPlugin<Context> = {
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ request, response }) => {
        const hasStatuses = wantsStatuses(request.http?.headers.get("accept"));
        const isUnderstood = Boolean(request.query) && response.http.status !== 405;
        if (isUnderstood && !hasStatuses) response.http.status = 200;
        if (response.body.kind === "single") {
          const { singleResult } = response.body;
          if (singleResult.errors) singleResult.errors = singleResult.errors.slice(0, MAX_ERRORS);
        }
        return Promise.resolve();
      },
    }),
};

/** The most memory for kept documents, in bytes. */
const DOCUMENT_BYTES = 4 * 1024 * 1024;

/** Hands the result on to {@link resultOf} as an object, so that Apollo does not make one long text of it. */
const handOn = (result: FormattedExecutionResult): string => result as unknown as string;

/** The result of an answer of this server, as an object that is not yet serialized. */
export function resultOf({ body }: Pick<HTTPGraphQLResponse, "body">): FormattedExecutionResult {
  if (body.kind !== "complete") throw new Error("graphql 16 answers in one part");
  return body.string as unknown as FormattedExecutionResult;
}

/** Apollo Server over the services. It starts in the background; requests that come before wait for it. */
export function createApolloServer(
  services: Services,
  settings: GraphqlSettings,
  logger: Logger,
  { formatError, report }: { formatError: ErrorFormat } & Pick<ErrorReports, "report">,
): ApolloServer<Context> {
  const trusted = settings.documents && new TrustedDocuments(settings.documents);
  const server = new ApolloServer<Context>({
    schema: createSchema(services),
    introspection: settings.introspection,
    csrfPrevention: settings.csrfPrevention,
    persistedQueries: false, // any client could fill its cache; trusted documents are our own
    documentStore: new DocumentStore(DOCUMENT_BYTES),
    parseOptions: { maxLexicalTokens: settings.maxTokens },
    validationRules: [knownOperationsRule],
    validationOptions: { maxErrors: MAX_ERRORS },
    // The order counts: each plugin relies on what the ones before it have refused or restored.
    plugins: [
      ApolloServerPluginCacheControlDisabled(), // it would wrap every resolver
      ApolloServerPluginLandingPageDisabled(), // our own explorer loads nothing from other hosts
      operationLabelsPlugin,
      documentPlugin([...(trusted ? [trustCheck(trusted)] : []), nestingCheck(settings.maxTokens)]),
      postOnlyPlugin,
      exactDecimalsPlugin,
      limitsPlugin(settings.operationLimits),
      nullArgumentsPlugin,
      httpPlugin,
      responseCachePlugin(formatError, report, trusted),
    ],
    formatError,
    stringifyResult: handOn,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false, // the process handles signals itself
    logger,
  });
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  return server;
}
