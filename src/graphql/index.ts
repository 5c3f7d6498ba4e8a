import { Router, type ErrorRequestHandler } from "express";
import type { Logger } from "pino";
import type { Settings } from "../config/settings";
import { labelAnswer } from "../http/request/request-context";
import type { ErrorReports } from "../http/answer/failure-report";
import { limitFields } from "../http/request/well-formed";
import { bodyReader } from "../http/request/json-body";
import { sendJson } from "../http/answer/send";
import type { Services } from "../services";
import { metricLabels } from "./operation/summary";
import { createApolloServer } from "./apollo-server";
import { AnswerRoom } from "./limits/growing-answer";
import { answerOverHttp } from "./over-http";
import { errorFormat, transportAnswer } from "./errors";

/** The GraphQL API over the services, to be mounted at `/graphql`. */
export function graphqlRoutes(
  services: Services,
  { http, graphql }: Pick<Settings, "http" | "graphql">,
  logger: Logger,
  reports: ErrorReports,
): Router {
  const formatError = errorFormat({ suggestions: graphql.suggestions, ...reports });
  const server = createApolloServer(services, graphql, logger, { formatError, ...reports });
  const router = Router();
  const readBody = bodyReader(http.bodyLimit);
  const cachesGets = !graphql.csrfPrevention;
  const room = new AnswerRoom(graphql.maxAnswer);
  const answer = answerOverHttp({
    server,
    services,
    formatError,
    room,
    readBody,
    cachesGets,
  });
  router.all("/", limitFields, answer);
  router.use(transportErrors(reports));
  return router;
}

const transportErrors =
  (reports: ErrorReports): ErrorRequestHandler =>
  (failure: unknown, _request, response, _next) => {
    const { status, retryAfter, code, body } = transportAnswer(failure, reports);
    labelAnswer(response, metricLabels(undefined, code));
    if (retryAfter !== undefined) response.set("Retry-After", String(retryAfter));
    sendJson(response, body, status);
  };
