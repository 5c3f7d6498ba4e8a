import { HeaderMap, type ApolloServer, type HTTPGraphQLResponse } from "@apollo/server";
import type { Request, RequestHandler, Response } from "express";
import { unavailable } from "../vocabulary/errors";
import { abandonmentOf } from "../http/request/abandonment";
import { metricLabelsOf, labelAnswer, type MetricLabels } from "../http/answer/metric-labels";
import { bearerToken } from "../http/request/bearer-token";
import { addressOf } from "../http/request/client-address";
import { parseBody, type BodyReader } from "../http/request/json-body";
import { pathOf } from "../http/request/path-of";
import { currentRequest, nameOperation } from "../http/request/request-context";
import { JSON_TYPE, sendText } from "../http/answer/send-json";
import type { Services } from "../services";
import type { Answer } from "../reads/catalogue-cache";
import { metricLabels } from "./operation/metric-labels-plugin";
import { createContext, type Context } from "./context";
import { CacheableRequest } from "./cacheable-request";

/** What answers HTTP requests. */
interface Answering {
  readonly server: ApolloServer<Context>;
  readonly services: Services;
  readonly readBody: BodyReader;
  /** Whether no further request should wait for a connection to the database. */
  readonly isOverloaded: () => boolean;
  /** Whether answers to GETs may be kept: what is kept is sent without Apollo's checks. */
  readonly keepsGets: boolean;
}

/**
 * Answers HTTP requests with GraphQL, or with what was kept of an equal request. While the service is overloaded
 * it refuses all others before they cost more than reading their body.
 */
export function answerOverHttp({
  server,
  services,
  readBody,
  isOverloaded,
  keepsGets,
}: Answering): RequestHandler {
  const cache = services.catalogueCache;
  const isKept = (request: Request): boolean =>
    request.method === "POST" || (keepsGets && isPlainGet(request));
  return async (request, response) => {
    const isPost = request.method === "POST";
    const body = isPost ? await readBody(request, response) : NO_BODY;
    const search = request.url.slice(pathOf(request.url).length);
    const asked = isPost ? body : Buffer.from(search);
    const kept = cache && isKept(request) ? new CacheableRequest(cache, request, asked) : undefined;
    const found = await kept?.find();
    if (found) {
      if (found.operation !== undefined) nameOperation(found.operation);
      labelAnswer(response, metricLabels(found.countedAs));
      sendText(response, found);
      return;
    }
    if (isOverloaded()) throw unavailable("connections");
    const origin = {
      token: bearerToken(request),
      address: addressOf(request),
      signal: abandonmentOf(request, response),
      kept,
      note: (about: MetricLabels) => labelAnswer(response, about),
    };
    const { method } = request;
    const executed = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method, headers: headersOf(request), search, body: parseBody(body) },
      context: () => Promise.resolve(createContext(services, origin)),
    });
    // Apollo answers requests without a document before any plugin sees them.
    const counted = metricLabelsOf(response) ?? metricLabels(undefined, String(executed.status));
    labelAnswer(response, counted);
    const answer = send(response, executed);
    const operation = currentRequest()?.operation;
    await kept?.keep({ ...answer, operation, countedAs: counted.operation });
  };
}

/** Apollo ignores the body of a GET, but wants one. */
const NO_BODY = Buffer.alloc(0);

/** Whether a request is a GET that Apollo does not refuse for its media type. */
const isPlainGet = ({ method, headers }: Request): boolean =>
  method === "GET" && headers["content-type"] === undefined;

function headersOf({ headers }: Request): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return map;
}

/** Sends what was executed, and returns it. */
function send(response: Response, { status, headers, body }: HTTPGraphQLResponse): Answer {
  if (body.kind !== "complete") throw new Error("graphql 16 answers in one part");
  // Every answer has `no-store` already; Apollo would let caches keep some.
  headers.delete("cache-control");
  for (const [name, value] of headers) response.setHeader(name, value);
  const answer = { mediaType: headers.get("content-type") ?? JSON_TYPE, text: body.string };
  sendText(response, answer, status);
  return answer;
}
