/** The codes of reasons, and the values that each has in addition to its code and path. */
export interface ReasonValues {
  /** A value is missing or empty. */
  readonly REQUIRED: unknown;
  readonly INVALID: unknown;
  /** Inclusive bounds: of a number, an amount, the length of a text, or the number of entries of a list. */
  readonly OUT_OF_RANGE: { readonly min: number | string; readonly max: number | string };
  /** The most characters of a text; of a password, the most bytes. */
  readonly TOO_LONG: { readonly max: number };
  readonly REPEATED: { readonly productId: number };
  readonly PRODUCT_UNAVAILABLE: { readonly productId: number };
  readonly CATEGORY_UNKNOWN: { readonly categoryId: number };
  readonly TOTAL_TOO_LARGE: { readonly max: string };
  readonly TOTAL_CHANGED: { readonly total: string };
  readonly SLUG_TAKEN: { readonly slug: string };
  readonly IN_USE: unknown;
  readonly NOT_FOUND: unknown;
  readonly STATE: { readonly status: string };
  readonly VERSION: { readonly version: number };
  readonly KEY_REUSED: unknown;
  readonly CREDENTIALS: unknown;
  readonly TOKEN: unknown;
  readonly ROLE: unknown;
  /** A password or second factor must be given first. */
  readonly CONFIRM_IDENTITY: unknown;
  /** A second factor must be set up first. */
  readonly SECOND_FACTOR: unknown;
  /** Seconds after which a retry makes sense. */
  readonly LIMIT: { readonly retryAfter: number };
  readonly UNAVAILABLE: { readonly retryAfter: number };
}

export type ReasonCode = keyof ReasonValues;

/** Why a request is refused, for programs: the messages are for people (contract 10.reasons). */
export type Reason = {
  readonly [Code in ReasonCode]: {
    readonly code: Code;
    /** The field of the input that the refusal is about, such as `items.0.productId`. */
    readonly path?: string;
  } & ReasonValues[Code];
}[ReasonCode];

/** One thing that is wrong, for people and for programs. */
export interface Issue {
  /** A sentence. The message of a field's rule is only the end of one: the field's name comes before it. */
  readonly message: string;
  readonly reason: Reason;
}

/** An issue whose reason adds nothing to its message. */
export const invalid = (message: string, path?: string): Issue => ({
  message,
  reason: { code: "INVALID", ...(path !== undefined && { path }) },
});

export const tooLong = (message: string, max: number): Issue => ({
  message,
  reason: { code: "TOO_LONG", max },
});

export const outOfRange = (
  message: string,
  bounds: ReasonValues["OUT_OF_RANGE"] & { readonly path?: string },
): Issue => ({ message, reason: { code: "OUT_OF_RANGE", ...bounds } });
