import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import cors from "cors";
import type { Request, RequestHandler } from "express";
import helmet from "helmet";
import { recordError } from "../request/request-context";

const secure = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
});

/** The headers that helmet sets. They never change, so helmet, which has a handler per header, runs only once. */
export const SECURITY_HEADERS: readonly (readonly [name: string, value: string])[] =
  headersSetBy(secure);

/** Security headers of every answer: no page may frame or embed it, and no script in it may run. */
export const securityHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
  next();
};

function headersSetBy(handler: typeof secure): [string, string][] {
  const set: [string, string][] = [];
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  response.setHeader = (name, value) => {
    set.push([name, String(value)]);
    return response;
  };
  handler(response.req, response, () => undefined);
  return set;
}

/** Keeps personal data and tokens out of every cache. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.set("Cache-Control", "no-store");
  next();
};

/** The position that a client has seen: it comes with answers to changes, and clients may send it with their next requests. */
export const SESSION_POSITION = "X-Session-Position";

const LOCALHOST = "localhost";

/** Headers that pages of allowed origins may send. */
const ALLOWED_HEADERS = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "Expected-Total",
  "X-Request-Id",
  SESSION_POSITION,
  "Apollo-Require-Preflight",
  "If-None-Match",
  // Common GraphQL and tracing clients add these by themselves.
  "apollographql-client-name",
  "apollographql-client-version",
  "traceparent",
  "tracestate",
  "baggage",
  "sentry-trace",
];

/**
 * Allows web pages of these origins to call the service; `localhost` stands for any port of this machine.
 * They may send the usual headers and `moreHeaders`, but no credentials that a browser stores: the service has
 * no cookies. If there are such origins, every answer has `Vary: Origin`. Otherwise a shared cache would give the
 * answer for one origin to another (Fetch standard, section "CORS protocol and HTTP caches").
 *
 * A preflight of another origin has the status of an allowed one without its headers, so that the browser blames the
 * origin and not the status. The log names the origin.
 */
export function allowOrigins(
  origins: readonly string[],
  moreHeaders: readonly string[],
): RequestHandler {
  const named = new Set(origins.filter((origin) => origin !== LOCALHOST));
  const isAllowed = (origin: string | undefined): boolean =>
    origin !== undefined && (named.has(origin) || (origins.includes(LOCALHOST) && isLocal(origin)));
  const answerOrigin = cors({
    origin: (origin, answer) => {
      answer(null, isAllowed(origin));
    },
    methods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
    allowedHeaders: [...ALLOWED_HEADERS, ...moreHeaders],
    exposedHeaders: [
      "ETag",
      "Location",
      "Idempotent-Replayed",
      "Retry-After",
      "WWW-Authenticate",
      "X-Request-Id",
      SESSION_POSITION,
      "RateLimit",
      "RateLimit-Policy",
      "RateLimit-Limit",
      "RateLimit-Remaining",
      "RateLimit-Reset",
    ],
    maxAge: 600,
  });
  return (request, response, next) => {
    if (origins.length > 0) response.vary("Origin");
    const { origin } = request.headers;
    if (isPreflight(request) && !isAllowed(origin)) {
      const reason = `CORS_ORIGINS does not name the origin ${origin}`;
      recordError(204, { code: undefined, reason });
      response.status(204).end();
      return;
    }
    answerOrigin(request, response, next);
  };
}

const isPreflight = ({ method, headers }: Request): boolean =>
  method === "OPTIONS" &&
  headers.origin !== undefined &&
  headers["access-control-request-method"] !== undefined;

const isLocal = (origin: string): boolean =>
  /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$/.test(origin);
