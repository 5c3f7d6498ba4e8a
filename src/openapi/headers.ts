import { SECURITY_HEADERS } from "../http/answer/headers";
import type { JsonSchema } from "../services/input/rules";

/** A header of an answer. */
export interface Header {
  readonly description: string;
  /** Whether every answer for which the header is documented has it. */
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example?: string;
}

const string = (pattern: string): JsonSchema => ({ type: "string", pattern });

const seconds = string("^[0-9]+$");

const policy = Object.fromEntries(
  SECURITY_HEADERS.map(([name, value]): [string, Header] => [
    name,
    {
      description: "Part of the strict policy of every answer.",
      required: true,
      schema: { type: "string", const: value },
    },
  ]),
);

/** The headers of every answer: the security policy, and the ones that browsers and caches need. */
const commonHeaders: Readonly<Record<string, Header>> = {
  ...policy,
  Vary: {
    description: "The request headers that the answer depends on.",
    required: false,
    schema: string("^(Origin|Accept|Origin, Accept)$"),
  },
  "Access-Control-Allow-Origin": {
    description: "The request's `Origin`, if its pages may call the service.",
    required: false,
    schema: string("^https?://[^ ]+$"),
  },
  "Access-Control-Expose-Headers": {
    description: "What pages of another origin may read.",
    required: false,
    schema: string("^[A-Za-z-]+(,[A-Za-z-]+)*$"),
  },
};

/** A tag of an answer, as `ETag` has it. */
export const TAG_EXAMPLE = '"k2Jr0Tq1"';

const answerHeaders = {
  "X-Request-Id": {
    description:
      "The request's own `X-Request-Id`, if it is 1 to 64 letters, digits, `.`, `_` or `-`, otherwise a new " +
      "UUID. Only an answer to bytes that are no HTTP request has none.",
    required: false,
    schema: string("^[A-Za-z0-9._-]{1,64}$"),
    example: "0b9f1c1e-6a0e-4d8e-9d5e-3f0f5f1c7a11",
  },
  "Cache-Control": {
    description: "The answer may be kept, but whether it is still current must be asked each time.",
    required: true,
    schema: string("^(no-cache|public, max-age=0, must-revalidate, s-maxage=[1-9][0-9]*)$"),
    example: "no-cache",
  },
  "No-Store": {
    description:
      "No cache keeps the answer. Only an answer to a malformed request has no such header.",
    required: false,
    schema: { type: "string", const: "no-store" },
  },
  "Page-Policy": {
    description: "The policy of a page: scripts, styles and requests of this service alone.",
    required: true,
    schema: string("^default-src 'none';"),
  },
  Allow: {
    description: "The methods that may be used instead.",
    required: true,
    schema: string("^[A-Z]+(, [A-Z]+)*$"),
    example: "POST",
  },
  "X-Session-Position": {
    description:
      "What was changed, where the service reads from replicas. A request that sends it back sees at least that.",
    required: false,
    schema: string("^[0-9]+[.][0-9]+[.][A-Za-z0-9_-]{43}$"),
  },
  ETag: {
    description: "Names this state of the answer; send it in `If-None-Match`.",
    required: true,
    schema: string('^"[A-Za-z0-9._~:-]+"$'),
    example: TAG_EXAMPLE,
  },
  "Idempotent-Replayed": {
    description: "The order was placed before, under the same key.",
    required: false,
    schema: { type: "string", const: "true" },
  },
  Location: {
    description: "The path of what was created.",
    required: true,
    schema: string("^/[a-z]+(/[0-9]+)?$"),
    example: "/products/7",
  },
  RateLimit: {
    description:
      "Requests that are left, and seconds until the next window (IETF draft, version 10). None of the " +
      "five headers is sent if the limit is off.",
    required: false,
    schema: string('^"[a-z]+";r=[0-9]+;t=[0-9]+$'),
    example: '"orders";r=599;t=60',
  },
  "RateLimit-Policy": {
    description: "Requests for each window, and its seconds.",
    required: false,
    schema: string('^"[a-z]+";q=[0-9]+;w=[0-9]+$'),
    example: '"orders";q=600;w=60',
  },
  "RateLimit-Limit": {
    description: "Requests for each window.",
    required: false,
    schema: seconds,
    example: "600",
  },
  "RateLimit-Remaining": {
    description: "Requests that are left.",
    required: false,
    schema: seconds,
    example: "599",
  },
  "RateLimit-Reset": {
    description: "Seconds until the next window.",
    required: false,
    schema: seconds,
    example: "60",
  },
  "Retry-After": {
    description: "Seconds after which a retry makes sense.",
    required: true,
    schema: seconds,
    example: "1",
  },
  "WWW-Authenticate": {
    description: "Whether a token was sent that is not valid (RFC 6750).",
    required: true,
    schema: { type: "string", enum: ["Bearer", 'Bearer error="invalid_token"'] },
    example: "Bearer",
  },
} satisfies Record<string, Header>;

export type HeaderName = keyof typeof answerHeaders;

/**
 * The headers of every answer that each answer in the document names, so that every tool sees them. These are the
 * ones that OWASP asks of an API and that no other header replaces. If each answer named all headers, they would be
 * most of the document, and most of the types that clients generate.
 */
const LISTED_IN_EACH_ANSWER = [
  "Content-Security-Policy",
  "Strict-Transport-Security",
  "X-Content-Type-Options",
] as const;

const isNamedByEach = (name: string): boolean =>
  LISTED_IN_EACH_ANSWER.some((each) => each === name);

const entries = Object.entries(commonHeaders);

const reference = (name: string): object => ({ $ref: `#/components/headers/${name}` });

/** All headers that any answer has or may have. The ones that each answer names are references. */
export const headersOfEveryAnswer: Readonly<Record<string, object>> = Object.fromEntries(
  entries.map(([name, header]) => [name, isNamedByEach(name) ? reference(name) : header]),
);

/** The headers that answers refer to. Those of the connection and of the body are HTTP's own. */
export const headers: Readonly<Record<string, Header>> = {
  ...Object.fromEntries(entries.filter(([name]) => isNamedByEach(name))),
  ...answerHeaders,
};

/** Headers that the document lists under a name of their own, because other answers have other values. */
const sentAs: { readonly [Name in HeaderName]?: string } = {
  "No-Store": "Cache-Control",
  "Page-Policy": "Content-Security-Policy",
};

/** References to the headers of an answer: the policy, the request's id, and these. */
export const headersOf = (names: readonly HeaderName[]): object => ({
  ...Object.fromEntries(LISTED_IN_EACH_ANSWER.map((name) => [name, reference(name)])),
  ...Object.fromEntries(
    (["X-Request-Id", ...names] as const).map((name) => [sentAs[name] ?? name, reference(name)]),
  ),
});

/** The headers in which `POST /orders` tells its rate limit. */
export const QUOTA_HEADERS = [
  "RateLimit-Policy",
  "RateLimit",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
] as const;
