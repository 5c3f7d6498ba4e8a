import type { GraphQLFormattedError } from "graphql";

/** What is sent to `/graphql`. */
export interface Request {
  readonly query: string;
  readonly variables?: Variables | undefined;
  readonly operationName?: string | undefined;
}

export type Variables = Readonly<Record<string, unknown>>;

/** What comes back. */
export interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly Fault[];
}

/** An error of the service, with REST's body in `extensions.http` (contract: GraphQL, errors). */
export interface Fault extends Omit<GraphQLFormattedError, "extensions"> {
  readonly extensions?: {
    readonly code?: string;
    readonly http?: { readonly message: string | readonly string[]; readonly retryAfter?: number };
  };
}

/**
 * Posts one GraphQL request.
 *
 * @param token goes along as the Authorization header
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
  const body = JSON.stringify(request);
  const init = { method: "POST", headers, body, ...(signal && { signal }) };
  const response = await fetch("/graphql", init).catch(() => {
    throw new Error("The service can't be reached");
  });
  return (await response.json().catch(() => {
    throw new Error(`The service answered ${response.status} without JSON`);
  })) as Answer;
}

/** Whether a field was refused for want of a valid token. */
export const isUnauthenticated = ({ errors = [] }: Answer): boolean =>
  errors.some(({ extensions }) => extensions?.code === "UNAUTHENTICATED");

/**
 * An answer as those who have not signed in are told of it: what is forbidden to everybody, as documents that a
 * service does not trust are, may be allowed to an administrator.
 */
export const forVisitors = (answer: Answer): Answer => ({
  ...answer,
  ...(answer.errors && { errors: answer.errors.map(faultForVisitors) }),
});

const faultForVisitors = (fault: Fault): Fault =>
  fault.extensions?.code === "FORBIDDEN"
    ? { ...fault, extensions: { code: "UNAUTHENTICATED", http: { message: "Unauthorized" } } }
    : fault;

/** Every message of an answer, those of one validation each by itself. */
export const faultsOf = ({ errors = [] }: Answer): string[] =>
  errors.flatMap(({ message, extensions }) => extensions?.http?.message ?? message);
