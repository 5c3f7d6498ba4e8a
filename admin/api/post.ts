import type { Document } from "./graphql";

/** One fault of a request (contract: `extensions.reasons`). */
export interface Reason {
  readonly code: string;
  /** The field of the input that is meant, such as `slug`. */
  readonly path?: string;
  readonly [detail: string]: unknown;
}

/** A refusal of the service, or (without a status) that it could not be reached. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number | undefined,
    readonly reasons: readonly Reason[] = [],
    readonly messages: readonly string[] = [message],
  ) {
    super(message);
  }
}

interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code?: string;
      readonly http?: { readonly statusCode: number; readonly message: string | string[] };
      readonly reasons?: readonly Reason[];
    };
  }[];
}

/** Says what this page was told, so that every process shows it at least that, whichever replica it reads. */
const POSITION = "x-session-position";
let position: string | null = null;

/** The headers of a request to the service: who asks, and what they have seen. */
export const headersFor = (token: string | undefined): Record<string, string> => ({
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(position !== null && { [POSITION]: position }),
});

/**
 * Sends one document.
 *
 * @throws Failure
 */
export async function post<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  { token, signal }: { token?: string; signal?: AbortSignal } = {},
): Promise<Result> {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...headersFor(token),
    },
    body: JSON.stringify({ query: document.toString(), variables }),
    ...(signal && { signal }),
  }).catch((fault: unknown) => {
    if (signal?.aborted) throw fault;
    throw new Failure("shop.failures.unreachable", "UNREACHABLE", undefined);
  });
  position = response.headers.get(POSITION) ?? position;
  const answer = (await response.json().catch(() => {
    throw new Failure("shop.failures.unreachable", "UNREACHABLE", response.status);
  })) as Answer<Result>;
  const error = answer.errors?.[0];
  if (!error && answer.data) return answer.data;
  const { code = "INTERNAL_SERVER_ERROR", http, reasons } = error?.extensions ?? {};
  const messages = [http?.message ?? error?.message ?? response.statusText].flat();
  throw new Failure(
    messages.join(", "),
    code,
    http?.statusCode ?? response.status,
    reasons,
    messages,
  );
}
