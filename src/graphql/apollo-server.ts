import { ApolloServer, type HTTPGraphQLResponse } from "@apollo/server";
import type { Context } from "./context";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import {
  GraphQLError,
  type ASTVisitor,
  type FormattedExecutionResult,
  type ValidationContext,
} from "graphql";
import type { Logger } from "pino";
import type { GraphqlSettings } from "../config/settings";
import type { ErrorReports } from "../http/answer/failure-report";
import type { Services } from "../services";
import { DocumentStore } from "./operation/documents/document-store";
import type { ErrorFormat } from "./errors";
import { MAX_ERRORS, operationPlugin } from "./operation-plugin";
import { createSchema } from "./schema/schema";

/** The most memory for cached documents, in bytes. */
const DOCUMENT_BYTES = 4 * 1024 * 1024;

/** Hands the result on to {@link resultOf} as an object, so that Apollo does not make one long text of it. */
const handOn = (result: FormattedExecutionResult): string => result as unknown as string;

/** The result of an answer of this server, as an object that is not yet serialized. */
export function resultOf({ body }: Pick<HTTPGraphQLResponse, "body">): FormattedExecutionResult {
  if (body.kind !== "complete") throw new Error("graphql 16 answers in one part");
  return body.string as unknown as FormattedExecutionResult;
}

/**
 * Refuses operations of a kind that the schema does not have, such as subscriptions. graphql-js 16 accepts
 * them as valid and throws when it executes them.
 */
const knownOperationsRule = (context: ValidationContext): ASTVisitor => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    const message = `The ${node.operation} operation is not supported by the schema.`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});

/** Apollo Server over the services. It starts in the background; requests that come before wait for it. */
export function createApolloServer(
  services: Services,
  settings: GraphqlSettings,
  logger: Logger,
  errors: { formatError: ErrorFormat } & Pick<ErrorReports, "report">,
): ApolloServer<Context> {
  const server = new ApolloServer<Context>({
    schema: createSchema(services),
    introspection: settings.introspection,
    csrfPrevention: settings.csrfPrevention,
    persistedQueries: false, // any client could fill its cache; trusted documents are our own
    documentStore: new DocumentStore(DOCUMENT_BYTES),
    parseOptions: { maxLexicalTokens: settings.maxTokens },
    validationRules: [knownOperationsRule],
    validationOptions: { maxErrors: MAX_ERRORS },
    plugins: [
      ApolloServerPluginCacheControlDisabled(), // it would wrap every resolver
      ApolloServerPluginLandingPageDisabled(), // our own explorer loads nothing from other hosts
      operationPlugin(settings, errors),
    ],
    formatError: errors.formatError,
    stringifyResult: handOn,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false, // the process handles signals itself
    logger,
  });
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();
  return server;
}
