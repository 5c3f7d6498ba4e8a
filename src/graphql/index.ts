import { ApolloServer } from "@apollo/server";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { expressMiddleware } from "@as-integrations/express5";
import { Router, type ErrorRequestHandler, type RequestHandler } from "express";
import type { Logger } from "pino";
import type { Settings } from "../config/settings";
import { bearerToken } from "../http/bearer-token";
import { addressOf } from "../http/client-address";
import { limitFields } from "../http/field-limits";
import { jsonBody } from "../http/json-body";
import type { Services } from "../services";
import { answerPlugin } from "./limits/answer-size";
import { createContext, type Context } from "./context";
import { DocumentStore } from "./document-store";
import { errorFormat, transportAnswer } from "./errors";
import { exactDecimalsPlugin } from "./exact-decimals";
import { httpPlugin, MAX_ERRORS } from "./http-plugin";
import { knownOperationsRule } from "./known-operations";
import { limitsPlugin } from "./limits/operation-limits";
import { nestingPlugin } from "./limits/nesting-plugin";
import { nullArgumentsPlugin } from "./null-arguments";
import { createSchema } from "./schema";

/** Bytes of parsed documents that are kept. */
const DOCUMENT_BYTES = 4 * 1024 * 1024;

/** The GraphQL door: `/graphql` over the services. */
export function graphqlRoutes(
  services: Services,
  admit: RequestHandler,
  { http, graphql }: Pick<Settings, "http" | "graphql">,
  logger: Logger,
): Router {
  const report = (fault: unknown): void => logger.error({ err: fault }, "unexpected failure");
  const formatError = errorFormat({ suggestions: graphql.suggestions, report });
  const server = new ApolloServer<Context>({
    schema: createSchema(services),
    introspection: graphql.introspection,
    persistedQueries: false, // anyone could fill its cache
    documentStore: new DocumentStore(DOCUMENT_BYTES),
    parseOptions: { maxLexicalTokens: graphql.maxTokens },
    validationRules: [knownOperationsRule],
    validationOptions: { maxErrors: MAX_ERRORS },
    plugins: [
      ApolloServerPluginLandingPageDisabled(), // the explorer is ours, without another host
      nestingPlugin(graphql.maxTokens),
      exactDecimalsPlugin,
      limitsPlugin(graphql.operationLimits),
      nullArgumentsPlugin,
      answerPlugin(graphql.maxAnswer, formatError),
      httpPlugin,
    ],
    formatError,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false, // shutting down is the process's business
    logger,
  });
  // Nothing is awaited in the start: requests that come at once wait for it.
  server.startInBackgroundHandlingStartupErrorsByLoggingAndFailingAllRequests();

  const router = Router();
  const readBody = jsonBody(http.bodyLimit);
  router.all("/graphql", limitFields, admit, (request, response, next) => {
    // Apollo reads nothing of a GET's body, but insists that somebody has.
    if (request.method === "POST") return readBody(request, response, next);
    request.body = {};
    next();
    return undefined;
  });
  router.all(
    "/graphql",
    expressMiddleware(server, {
      context: ({ req }) =>
        Promise.resolve(
          createContext(services, { token: bearerToken(req), address: addressOf(req) }),
        ),
    }),
  );
  router.use("/graphql", transportErrors(report));
  return router;
}

const transportErrors =
  (report: (fault: unknown) => void): ErrorRequestHandler =>
  (failure: unknown, _request, response, _next) => {
    const { status, retryAfter, body } = transportAnswer(failure, report);
    if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
    response.status(status).json(body);
  };
