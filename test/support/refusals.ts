/** The name of each status of a refusal, and its code in GraphQL. */
const names: Readonly<Record<number, readonly [name: string, code: string]>> = {
  400: ["Bad Request", "BAD_USER_INPUT"],
  401: ["Unauthorized", "UNAUTHENTICATED"],
  403: ["Forbidden", "FORBIDDEN"],
  404: ["Not Found", "NOT_FOUND"],
  408: ["Request Timeout", "BAD_REQUEST"],
  409: ["Conflict", "CONFLICT"],
  413: ["Payload Too Large", "BAD_REQUEST"],
  415: ["Unsupported Media Type", "BAD_REQUEST"],
  417: ["Expectation Failed", "BAD_REQUEST"],
  422: ["Unprocessable Entity", "CONFLICT"],
  429: ["Too Many Requests", "TOO_MANY_REQUESTS"],
  431: ["Request Header Fields Too Large", "BAD_REQUEST"],
  500: ["Internal Server Error", "INTERNAL_SERVER_ERROR"],
  503: ["Service Unavailable", "SERVICE_UNAVAILABLE"],
};

function namesOf(status: number): readonly [name: string, code: string] {
  const found = names[status];
  if (!found) throw new Error(`${status} is no status of a refusal`);
  return found;
}

/** The body of a refusal at REST. The message may be a matcher; by default it is the name of the status. */
export function errorBody(statusCode: number, message?: unknown) {
  const [error] = namesOf(statusCode);
  return { statusCode, message: message ?? error, error };
}

/**
 * The `extensions` of a refusal in GraphQL: a code, and the body that REST would answer. Any reasons pass:
 * `documented.ts` and their own tests check them.
 */
export const extensionsOf = (
  statusCode: number,
  message?: unknown,
  { code = namesOf(statusCode)[1], ...http }: { code?: string; retryAfter?: unknown } = {},
) => ({ code, http: { ...errorBody(statusCode, message), ...http }, reasons: anyReasons });

/** Matches any reasons, and none: requests that GraphQL itself refuses have no reasons. */
const anyReasons: unknown = {
  $$typeof: Symbol.for("jest.asymmetricMatcher"),
  asymmetricMatch: (value: unknown) => value === undefined || Array.isArray(value),
  toString: () => "Reasons",
};

/** GraphQL's whole answer to an operation that is refused before any part of it runs. */
export const refusedOperation = (
  statusCode: number,
  message: string | readonly string[],
  code?: string,
) => ({
  errors: [
    {
      message: [message].flat().join("; "),
      extensions: extensionsOf(statusCode, message, code === undefined ? {} : { code }),
    },
  ],
});

/** Expects REST's answer to be this refusal: its status, and its body without any other member. */
export function expectRefused(
  { status, body }: { readonly status: number; readonly body: unknown },
  statusCode: number,
  message?: unknown,
): void {
  expect([status, body]).toEqual([statusCode, errorBody(statusCode, message)]);
}
