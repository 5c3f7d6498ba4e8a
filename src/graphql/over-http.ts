import { HeaderMap, type ApolloServer, type HTTPGraphQLResponse } from "@apollo/server";
import type { Request, RequestHandler, Response } from "express";
import { abandonmentOf } from "../http/abandonment";
import { bearerToken } from "../http/bearer-token";
import { addressOf } from "../http/client-address";
import { parseBody, type BodyReader } from "../http/json-body";
import { pathOf } from "../http/path-of";
import { currentRequest, nameOperation } from "../http/request-context";
import { JSON_TYPE, sendText } from "../http/send-json";
import type { Services } from "../services";
import type { Answer } from "../services/catalogue/catalogue-cache";
import { createContext, type Context } from "./context";
import { KeptRequest } from "./kept-request";

/** Answers HTTP requests with GraphQL, or with what was kept of an equal request. */
export function answerOverHttp(
  server: ApolloServer<Context>,
  services: Services,
  readBody: BodyReader,
): RequestHandler {
  const execute = async (
    request: Request,
    response: Response,
    body: Buffer,
    kept: Context["kept"],
  ): Promise<HTTPGraphQLResponse> => {
    const origin = {
      token: bearerToken(request),
      address: addressOf(request),
      signal: abandonmentOf(request, response),
      kept,
    };
    return server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method,
        headers: headersOf(request),
        search: request.url.slice(pathOf(request.url).length),
        body: parseBody(body),
      },
      context: () => Promise.resolve(createContext(services, origin)),
    });
  };
  const cache = services.catalogueCache;
  return async (request, response) => {
    if (request.method !== "POST") {
      send(response, await execute(request, response, NO_BODY, undefined));
      return;
    }
    const body = await readBody(request, response);
    const kept = cache && new KeptRequest(cache, request, body);
    const found = await kept?.find();
    if (found) {
      if (found.operation !== undefined) nameOperation(found.operation);
      sendText(response, found);
      return;
    }
    const answer = send(response, await execute(request, response, body, kept));
    await kept?.keep({ ...answer, operation: currentRequest()?.operation });
  };
}

/** Apollo ignores the body of a GET, but wants one. */
const NO_BODY = Buffer.alloc(0);

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
  for (const [name, value] of headers) response.setHeader(name, value);
  const answer = { mediaType: headers.get("content-type") ?? JSON_TYPE, text: body.string };
  sendText(response, answer, status);
  return answer;
}
