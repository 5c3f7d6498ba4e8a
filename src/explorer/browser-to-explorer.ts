import type { RequestHandler } from "express";

/**
 * Sends a browser that opens `/graphql` to the explorer. Requests that carry a query, and clients that
 * prefer JSON, go on to the GraphQL door.
 */
export const browserToExplorer: RequestHandler = (request, response, next) => {
  if (/[?&]query=/.test(request.url)) {
    next();
    return;
  }
  response.vary("Accept");
  const types = ["application/graphql-response+json", "application/json", "text/html"];
  if (request.accepts(types) === "text/html") response.redirect("/explorer");
  else next();
};
