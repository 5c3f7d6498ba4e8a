import type { GraphQLFormattedError } from "graphql";

/** A request to `/graphql`. */
export interface Request {
  readonly query: string;
  readonly variables?: Variables | undefined;
  readonly operationName?: string | undefined;
}

export type Variables = Readonly<Record<string, unknown>>;

/** The answer to a request. */
export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly Fault[];
}

/** An error of the service, with REST's body in `extensions.http` (contract: GraphQL, errors). */
export interface Fault extends Omit<GraphQLFormattedError, "extensions"> {
  readonly extensions?: {
    readonly code?: string;
    readonly http?: { readonly message: string | readonly string[]; readonly retryAfter?: number };
    /** What a program needs to know of a refusal. */
    readonly reasons?: readonly { readonly code: string }[];
  };
}

/** Says what this page was told, so that every process shows it at least that, whichever replica it reads. */
const POSITION = "x-session-position";

let position: string | null = null;

/**
 * Posts one GraphQL request.
 *
 * @param token is sent in the `Authorization` header
 * @throws Error if the service can't be reached or answers anything but JSON
 */
export async function post(
  request: Request,
  token?: string,
  signal?: AbortSignal,
): Promise<Answer> {
  const headers: Record<string, string> = {
    accept: "application/json",
    "content-type": "application/json",
  };
  if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
  if (position !== null) headers[POSITION] = position;
  const body = JSON.stringify(request);
  const init = { method: "POST", headers, body, ...(signal && { signal }) };
  const response = await fetch("/graphql", init).catch(() => {
    throw new Error("The service can't be reached");
  });
  position = response.headers.get(POSITION) ?? position;
  return (await response.json().catch(() => {
    throw new Error(`The service answered ${response.status} without JSON`);
  })) as Answer;
}

/** Whether a field was refused because there was no valid token. */
export const isUnauthenticated = ({ errors = [] }: Answer): boolean =>
  errors.some(({ extensions }) => extensions?.code === "UNAUTHENTICATED");

/**
 * The answer for people who have not signed in. "Forbidden" becomes "Unauthorized" for them, because an administrator
 * may be allowed to do it: to send a document that the service does not trust, for example.
 */
export const forVisitors = (answer: Answer): Answer => ({
  ...answer,
  ...(answer.errors && { errors: answer.errors.map(faultForVisitors) }),
});

const faultForVisitors = (fault: Fault): Fault =>
  fault.extensions?.code === "FORBIDDEN"
    ? { ...fault, extensions: { code: "UNAUTHENTICATED", http: { message: "Unauthorized" } } }
    : fault;

/** All messages of an answer. Those of one validation are separate messages. */
export const faultsOf = ({ errors = [] }: Answer): string[] =>
  errors.flatMap(({ message, extensions }) => extensions?.http?.message ?? message);
