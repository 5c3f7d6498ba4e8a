import { t } from "../texts";
import type { TypedDocumentString as Document } from "./generated/graphql";

/** One issue of a request (contract: `extensions.reasons`). */
interface Reason {
  readonly code: string;
  readonly path?: string;
  readonly [detail: string]: unknown;
}

/** A refusal of the service in the app's words: one sentence, and one for each field that is meant. */
export class Failure extends Error {
  /** react-admin's form shows its `errors` at their fields. */
  readonly body: { readonly errors: Readonly<Record<string, string>> };
  constructor(
    readonly code: string,
    message: string | readonly string[],
    readonly status = 0,
    readonly reasons: readonly Reason[] = [],
  ) {
    const messages = [message].flat();
    const sentences: string[] = reasons.map((reason, index) =>
      t(`reasons.${reason.code}`, { ...reason, message: messages[index], _: messages[index] }),
    );
    super(sentences[0] ?? t(messages.join(", ")));
    const errors = reasons.map(({ path = "" }, index) => [path, sentences[index] ?? ""] as const);
    this.body = { errors: Object.fromEntries(errors.filter(([path]) => path !== "").reverse()) };
  }

  isBecause(reason: string): boolean {
    return this.reasons.some(({ code }) => code === reason);
  }
}

const unreachable = (status?: number) => new Failure("UNREACHABLE", "reasons.UNREACHABLE", status);

/** The position that this page has seen, so that every replica it reads has replayed at least that. */
const POSITION = "x-session-position";
let position: string | null = null;

/** Asks the service for something. @throws Failure if it can't be reached */
export async function ask(path: string, token?: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(position !== null && { [POSITION]: position }),
  };
  const response = await fetch(path, { ...init, headers }).catch((fault: unknown) => {
    throw init.signal?.aborted ? fault : unreachable();
  });
  position = response.headers.get(POSITION) ?? position;
  return response;
}

interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Extensions }[];
}

interface Extensions {
  readonly code?: string;
  readonly http?: { readonly statusCode: number; readonly message: string | string[] };
  readonly reasons?: readonly Reason[];
}

/** Sends one document. @throws Failure */
export async function post<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  { token, ...options }: { token?: string; signal?: AbortSignal; keepalive?: boolean } = {},
): Promise<Result> {
  const response = await ask("/graphql", token, {
    method: "POST",
    headers: { accept: "application/json", "content-type": "application/json" },
    body: JSON.stringify({ query: document.toString(), variables }),
    ...options,
  });
  const { data, errors } = (await response.json().catch(() => {
    throw unreachable(response.status);
  })) as Answer<Result>;
  const error = errors?.[0];
  if (!error && data) return data;
  const { code = "INTERNAL_SERVER_ERROR", http, reasons } = error?.extensions ?? {};
  const message = http?.message ?? error?.message ?? response.statusText;
  throw new Failure(code, message, http?.statusCode ?? response.status, reasons);
}
