import { expressMiddleware } from "@as-integrations/express5";
import { Router, type ErrorRequestHandler, type RequestHandler } from "express";
import type { Logger } from "pino";
import type { Settings } from "../config/settings";
import { abandonmentOf } from "../http/abandonment";
import { bearerToken } from "../http/bearer-token";
import { addressOf } from "../http/client-address";
import { limitFields } from "../http/field-limits";
import { jsonBody } from "../http/json-body";
import { sendJson } from "../http/send-json";
import type { Services } from "../services";
import { createApolloServer } from "./apollo-server";
import { createContext } from "./context";
import { transportAnswer } from "./errors";

/** The GraphQL door: `/graphql` over the services. */
export function graphqlRoutes(
  services: Services,
  admit: RequestHandler,
  { http, graphql }: Pick<Settings, "http" | "graphql">,
  logger: Logger,
): Router {
  const report = (fault: unknown): void => logger.error({ err: fault }, "unexpected failure");
  const server = createApolloServer(services, graphql, logger, report);
  const router = Router();
  const readBody = jsonBody(http.bodyLimit);
  router.all("/graphql", limitFields, admit, (request, response, next) => {
    // Apollo ignores the body of a GET, but requires that one was read.
    if (request.method === "POST") return readBody(request, response, next);
    request.body = {};
    next();
    return undefined;
  });
  router.all(
    "/graphql",
    expressMiddleware(server, {
      context: ({ req, res }) =>
        Promise.resolve(
          createContext(services, {
            token: bearerToken(req),
            address: addressOf(req),
            signal: abandonmentOf(req, res),
          }),
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
    sendJson(response, body, status);
  };
