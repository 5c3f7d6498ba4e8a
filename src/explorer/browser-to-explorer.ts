import type { RequestHandler } from "express";

/**
 * Redirects a browser that opens `/graphql` to the explorer. Requests with a document or its hash, and requests of
 * clients that prefer JSON, go on to the GraphQL endpoint.
 */
export const browserToExplorer: RequestHandler = (request, response, next) => {
  if (/[?&](query|extensions)=/.test(request.url)) {
    next();
    return;
  }
  response.vary("Accept");
  const types = ["application/graphql-response+json", "application/json", "text/html"];
  if (request.accepts(types) === "text/html") response.redirect("/explorer");
  else next();
};
