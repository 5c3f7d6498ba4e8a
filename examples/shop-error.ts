/** What the shop answers instead of what was asked for. REST sends it as a body, GraphQL in `extensions.http`. */
export interface Refusal {
  readonly statusCode: number;
  readonly message: string | readonly string[];
  readonly error: string;
  /** Seconds, at GraphQL; REST has the header `Retry-After`. */
  readonly retryAfter?: number;
}

/** Why the shop refuses, for programs: one for each message. Take a code that you don't know as `INVALID`. */
export interface Reason {
  readonly code: string;
  /** The field that is meant, such as `items.0.productId`. */
  readonly path?: string;
  /** Values of the code, such as the `total` of `TOTAL_CHANGED`. */
  readonly [value: string]: string | number | undefined;
}

/** What helps to go on from a refusal, or to have it looked into. */
interface Details {
  /** GraphQL's code; at REST, the status says it. */
  readonly code?: string | undefined;
  /** At GraphQL alone. */
  readonly reasons?: readonly Reason[] | undefined;
  /** Finds the request in the service's log: show it to customers who ask for help. */
  readonly requestId?: string | undefined;
  /** Seconds after which the request may be sent again. */
  readonly retryAfter?: number | undefined;
}

/** The shop has refused a request. */
export class ShopError extends Error {
  override readonly name = "ShopError";
  readonly status: number;
  readonly messages: readonly string[];

  constructor(
    { statusCode, message }: Refusal,
    readonly details: Details = {},
  ) {
    const messages = typeof message === "string" ? [message] : message;
    super(messages.join("; "));
    this.status = statusCode;
    this.messages = messages;
  }

  /** Without reasons, as at REST, nothing is known but the status. */
  get reasons(): readonly Reason[] {
    return this.details.reasons ?? [{ code: "INVALID" }];
  }

  /** Messages by the field that each is about, such as `items.0.quantity`, to be shown beside it in a form. */
  get byField(): ReadonlyMap<string, readonly string[]> {
    const fields = new Map<string, string[]>();
    if (this.status !== 400) return fields;
    for (const message of this.messages) {
      const field = fieldOf(message);
      if (field !== undefined) fields.set(field, [...(fields.get(field) ?? []), message]);
    }
    return fields;
  }
}

/** No whole answer has arrived: whether it did what was asked is unknown. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";

  constructor(cause: unknown) {
    super("The shop can't be reached", { cause });
  }
}

/** The error of an answer that refuses a request, with the refusal in its body unless a proxy wrote it. */
export function shopErrorOf(
  { status, statusText, headers }: Response,
  refusal: Refusal = { statusCode: status, message: statusText, error: statusText },
  { code, reasons }: Pick<Details, "code" | "reasons"> = {},
): ShopError {
  const retryAfter = refusal.retryAfter ?? Number(headers.get("Retry-After") ?? undefined);
  return new ShopError(refusal, {
    code,
    reasons,
    requestId: headers.get("X-Request-Id") ?? undefined,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** Whether a value has the shape of the shop's refusals; a proxy on the way may answer anything. */
export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === "object" && value !== null && "statusCode" in value && "message" in value;

/** The path that a validation message begins with: `items.1.property foo should not exist` is about `items.1.foo`. */
function fieldOf(message: string): string | undefined {
  const [, parent = "", name] = /^((?:\w+\.)*)(?:property )?([a-z]\w*) /.exec(message) ?? [];
  return name === undefined ? undefined : parent + name;
}
