import { HeaderMap, type ApolloServer } from "@apollo/server";
import type { Request, RequestHandler, Response } from "express";
import { DomainError } from "../vocabulary/errors";
import { abandonmentOf } from "../http/request/abandonment";
import {
  currentRequest,
  labelAnswer,
  metricLabelsOf,
  nameOperation,
  type MetricLabels,
} from "../http/request/request-context";
import { clientOf } from "../http/request/client-address";
import { parseBody, type BodyReader } from "../http/request/json-body";
import { pathOf } from "../http/request/well-formed";
import { SESSION_POSITION } from "../http/answer/headers";
import { JSON_TYPE, sendText } from "../http/answer/send";
import { errorBodyOf } from "../http/answer/error-body";
import type { Services } from "../services";
import type { ReadRoute } from "../reads/replicas";
import { metricLabels } from "./operation/summary";
import { CacheableRequest, createContext, type Context } from "./context";
import { resultOf } from "./apollo-server";
import { wantsStatuses } from "./operation-plugin";
import { type ErrorFormat, graphqlRefusal } from "./errors";
import { GrowingAnswer, LINE_END, type AnswerRoom } from "./limits/growing-answer";

/** The parts that answer HTTP requests. */
interface Answering {
  readonly server: ApolloServer<Context>;
  readonly services: Services;
  readonly formatError: ErrorFormat;
  readonly room: AnswerRoom;
  readonly readBody: BodyReader;
  /** Whether answers to GETs may be cached. Cached answers are sent without Apollo's checks. */
  readonly cachesGets: boolean;
}

/**
 * Answers HTTP requests with GraphQL, or with the cached answer to an equal request. While the service is
 * overloaded, it refuses requests without a cached answer as soon as their body is read.
 */
export function answerOverHttp({
  server,
  services,
  formatError,
  room,
  readBody,
  cachesGets,
}: Answering): RequestHandler {
  const cache = services.catalogueCache;
  const isCacheable = (request: Request): boolean =>
    request.method === "POST" || (cachesGets && isPlainGet(request));
  /** Answers a request. Returns false if nothing was sent, because a replica failed that it has read from. */
  const answer = async (
    request: Request,
    response: Response,
    body: Buffer,
    route: ReadRoute | undefined,
  ): Promise<boolean> => {
    const isPost = request.method === "POST";
    const search = request.url.slice(pathOf(request.url).length);
    const requestBytes = isPost ? body : Buffer.from(search);
    const cacheable =
      cache && isCacheable(request)
        ? new CacheableRequest(cache.current, request, requestBytes)
        : undefined;
    const found = await cacheable?.find();
    if (found) {
      if (found.operation !== undefined) nameOperation(found.operation);
      labelAnswer(response, metricLabels(found.countedAs));
      sendText(response, found);
      return true;
    }
    services.breaker.refuseIfFull();
    const signal = abandonmentOf(request, response);
    const onClose = (callBack: () => void): void => {
      if (response.closed) callBack();
      else response.once("close", callBack);
    };
    const growing = new GrowingAnswer(room, { signal, onClose });
    const origin = {
      request,
      ...clientOf(request),
      signal,
      answer: growing,
      cacheable,
      route,
      changed: async (what: string) => {
        const position = await services.afterChange({ isOfEndpoint: what === "endpoint" });
        if (position !== undefined) response.set(SESSION_POSITION, position);
      },
      label: (labels: MetricLabels) => labelAnswer(response, labels),
    };
    const { method } = request;
    const executed = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method, headers: headersOf(request), search, body: parseBody(body) },
      context: () => Promise.resolve(createContext(services, origin)),
    });
    if (route?.hasFailed && !response.closed) return false;
    // Apollo answers requests without a document before any plugin sees them.
    const counted = metricLabelsOf(response) ?? metricLabels(undefined, String(executed.status));
    // Every answer has `no-store` already; Apollo's header would let caches store some.
    executed.headers.delete("cache-control");
    for (const [name, value] of executed.headers) response.setHeader(name, value);
    const mediaType = executed.headers.get("content-type") ?? JSON_TYPE;
    const text = await growing.textOf(resultOf(executed)).catch(asRefusal);
    if (text instanceof DomainError) {
      const refusal = graphqlRefusal(text);
      const error = formatError(refusal.toJSON(), refusal);
      labelAnswer(response, metricLabels(counted.operation, String(error.extensions?.code)));
      const refused = { mediaType, text: JSON.stringify({ errors: [error] }) + LINE_END };
      const { statusCode } = errorBodyOf(text);
      sendText(response, refused, wantsStatuses(request.headers.accept) ? statusCode : 200);
      return true;
    }
    labelAnswer(response, counted);
    sendText(response, { mediaType, text }, executed.status);
    const operation = currentRequest()?.operation;
    await cacheable?.store({ mediaType, text, operation, countedAs: counted.operation });
    return true;
  };
  return async (request, response) => {
    const body = request.method === "POST" ? await readBody(request, response) : NO_BODY;
    const route = await services.replicas?.begin(request.get(SESSION_POSITION));
    try {
      if (await answer(request, response, body, route)) return;
    } catch (error) {
      if (!route?.note(error) || response.headersSent || response.closed) throw error;
    }
    route?.release();
    await answer(request, response, body, undefined);
  };
}

/** Returns a refusal; throws any other error again. */
function asRefusal(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  throw error;
}

/** Apollo ignores the body of a GET, but needs one. */
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
