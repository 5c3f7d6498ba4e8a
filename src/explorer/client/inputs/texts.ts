import { hasDecimalComma } from "../decimal-comma";
import type { FieldKind } from "./fields";

/** How a kind of value is written in a single line. */
export interface TextForm {
  readonly textOf: (value: unknown) => string;
  /** The value that a text means; undefined for no value. A text that is not a value of the kind stays a text. */
  readonly valueOf: (text: string) => unknown;
  /** A message about a wrong value. The service has the last word. */
  readonly faultOf: (value: unknown) => string | undefined;
  readonly inputMode: "text" | "numeric" | "decimal";
}

const WHOLE = /^[+-]?[0-9]+$/;
const NUMBER = /^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const DECIMAL = /^[+-]?[0-9]+(\.[0-9]+)?$/;
const WITH_COMMA = /^[+-]?[0-9]+,[0-9]+$/;
const COMMA_AND_THREE = /^[+-]?[0-9]+,[0-9]{3}$/;
const POINT_AND_THREE = /^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$/;

/** A text as it is; null and undefined are empty. Values of other types are shown as JSON. */
function plain(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The number that the text is, if a double can hold it; otherwise the text as it is, which the service refuses. */
const numeric =
  (form: RegExp, holds: (value: number) => boolean) =>
  (text: string): unknown => {
    const trimmed = text.trim();
    if (trimmed === "") return undefined;
    const value = Number(trimmed);
    return form.test(trimmed) && holds(value) ? value : trimmed;
  };

/** Whether the mark may stand before decimals or thousands. A point may do both if the language writes 12,50. */
const isAmbiguous = (text: string, language?: string): boolean =>
  COMMA_AND_THREE.test(text) || (POINT_AND_THREE.test(text) && hasDecimalComma(language));

/**
 * An amount in the form that the service takes. A comma becomes a point if the language writes decimals with a comma.
 * An ambiguous amount stays as it is, and the service refuses it, because it has a comma or three decimals.
 *
 * @param language by default the reader's
 */
export function amountIn(text: string, language?: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const isPoint = WITH_COMMA.test(trimmed) && !isAmbiguous(trimmed) && hasDecimalComma(language);
  return isPoint ? trimmed.replace(",", ".") : trimmed;
}

/**
 * A message about a wrong amount; undefined for others.
 *
 * @param language by default the reader's
 */
export function amountFault(text: string, language?: string): string | undefined {
  if (isAmbiguous(text, language)) {
    const [whole, decimals = ""] = text.split(/[.,]/);
    return `${text} may be read in two ways. Write ${whole}${decimals}, or ${whole}.${decimals.slice(0, -1)}.`;
  }
  return DECIMAL.test(text) ? undefined : "This is not a number, such as 12.50.";
}

/** The value if the text is JSON, and not a number that a double would change; otherwise the text itself. */
function jsonOrText(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "number" && String(value) !== text.trim() ? text.trim() : value;
  } catch {
    return text;
  }
}

const none = () => undefined;

const isGiven = (value: unknown) => value !== undefined && value !== null;

export const textForms = {
  text: { textOf: plain, valueOf: (text) => text, faultOf: none, inputMode: "text" },
  whole: {
    textOf: plain,
    valueOf: numeric(WHOLE, Number.isSafeInteger),
    faultOf: (value) => {
      if (!isGiven(value) || Number.isSafeInteger(value)) return undefined;
      return WHOLE.test(plain(value)) ? "This number is too large." : "This is not a whole number.";
    },
    inputMode: "numeric",
  },
  number: {
    textOf: plain,
    valueOf: numeric(NUMBER, Number.isFinite),
    faultOf: (value) =>
      isGiven(value) && typeof value !== "number" ? "This is not a number." : undefined,
    inputMode: "decimal",
  },
  decimal: {
    textOf: plain,
    valueOf: (text) => amountIn(text),
    faultOf: (value) => (isGiven(value) ? amountFault(plain(value)) : undefined),
    inputMode: "decimal",
  },
  json: {
    // A text that would be read as another value is shown in quotes.
    textOf: (value) =>
      typeof value === "string" && jsonOrText(value) !== value
        ? JSON.stringify(value)
        : plain(value),
    valueOf: jsonOrText,
    faultOf: none,
    inputMode: "text",
  },
} as const satisfies Partial<Record<FieldKind, TextForm>>;

export type TextKind = keyof typeof textForms;
