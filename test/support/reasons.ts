import type { ReasonCode } from "../../src/vocabulary/reasons";

interface Refusal {
  readonly code: string;
  readonly http: { readonly message: string | readonly string[] };
  readonly reasons?: readonly { readonly code: ReasonCode; readonly path?: string }[];
}

/** The members that a reason has beside its code and path (contract 10.reasons). */
const values: Readonly<Record<ReasonCode, readonly string[]>> = {
  REQUIRED: [],
  INVALID: [],
  OUT_OF_RANGE: ["min", "max"],
  TOO_LONG: ["max"],
  REPEATED: ["productId"],
  PRODUCT_UNAVAILABLE: ["productId"],
  CATEGORY_UNKNOWN: ["categoryId"],
  TOTAL_TOO_LARGE: ["max"],
  TOTAL_CHANGED: ["total"],
  SLUG_TAKEN: ["slug"],
  IN_USE: [],
  NOT_FOUND: [],
  STATE: ["status"],
  VERSION: ["version"],
  KEY_REUSED: [],
  CREDENTIALS: [],
  TOKEN: [],
  ROLE: [],
  CONFIRM_IDENTITY: [],
  SECOND_FACTOR: [],
  LIMIT: ["retryAfter"],
  UNAVAILABLE: ["retryAfter"],
};

/** Codes of refusals by GraphQL itself, which have no reasons. It shares `BAD_USER_INPUT` with the service. */
const ofLanguage = /^(?:BAD_|GRAPHQL_|OPERATION_|PERSISTED_|INTERNAL_)/;

/** Throws unless each refusal by the service has a reason for each message, with the members of its code. */
export function expectReasons(answer: unknown): void {
  const { errors = [] } = answer as { errors?: readonly { extensions: Refusal }[] };
  for (const { extensions } of errors) {
    const { code, http, reasons } = extensions;
    const isOfService = Array.isArray(http.message) || !ofLanguage.test(code);
    if (!reasons && !isOfService) continue;
    const fault = reasons ? faultOf(reasons, [http.message].flat()) : "they are missing";
    if (fault !== undefined)
      throw new Error(`the reasons of ${JSON.stringify(extensions)}: ${fault}`);
  }
}

function faultOf(
  reasons: NonNullable<Refusal["reasons"]>,
  messages: readonly string[],
): string | undefined {
  if (reasons.length !== messages.length) return "not one for each message";
  for (const { code, path, ...others } of reasons) {
    if (!(code in values)) return `${code} is not known`;
    if (Object.keys(others).sort().join() !== [...values[code]].sort().join()) {
      return `other values of ${code}`;
    }
    if (path === "") return "an empty path";
  }
  return undefined;
}
