import type { RequestHandler } from "express";

/**
 * Sends a browser that opens the GraphQL door by its address to the explorer. Requests that carry a
 * query, and clients that would rather have JSON, go on to the door.
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
