import { hasDecimalComma } from "../decimal-comma";
import type { FieldKind } from "./fields";

/** How a kind of value is written in a single line. */
export interface TextForm {
  readonly textOf: (value: unknown) => string;
  /** What the text means. Undefined: no value. What is not a value of the kind stays a text. */
  readonly valueOf: (text: string) => unknown;
  /** What is wrong with a value; the service has the last word. */
  readonly faultOf: (value: unknown) => string | undefined;
  readonly inputMode: "text" | "numeric" | "decimal";
}

const WHOLE = /^[+-]?[0-9]+$/;
const NUMBER = /^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const DECIMAL = /^[+-]?[0-9]+(\.[0-9]+)?$/;
const WITH_COMMA = /^[+-]?[0-9]+,[0-9]+$/;
const COMMA_AND_THREE = /^[+-]?[0-9]+,[0-9]{3}$/;
const POINT_AND_THREE = /^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$/;

/** Texts as they are; null and absent ones are empty. Values of other types are shown as JSON. */
function plain(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A number if the text is one and a double holds it; else the text as it is, which the service refuses. */
const numeric =
  (form: RegExp, holds: (value: number) => boolean) =>
  (text: string): unknown => {
    const trimmed = text.trim();
    if (trimmed === "") return undefined;
    const value = Number(trimmed);
    return form.test(trimmed) && holds(value) ? value : trimmed;
  };

/** Whether the separator may part decimals or thousands. A point does the latter where the language writes 12,50. */
const isAmbiguous = (text: string, language?: string): boolean =>
  COMMA_AND_THREE.test(text) || (POINT_AND_THREE.test(text) && hasDecimalComma(language));

/**
 * An amount as the service takes it. A comma is a point where the language writes so. An amount that may as well be
 * thousands stays as it is: the service refuses a text with a comma, and one with three decimals.
 *
 * @param language that of the reader if it is left out
 */
export function amountIn(text: string, language?: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const isPoint = WITH_COMMA.test(trimmed) && !isAmbiguous(trimmed) && hasDecimalComma(language);
  return isPoint ? trimmed.replace(",", ".") : trimmed;
}

/**
 * What is wrong with an amount as the form has it.
 *
 * @param language that of the reader if it is left out
 */
export function amountFault(text: string, language?: string): string | undefined {
  if (isAmbiguous(text, language)) {
    const [whole, decimals = ""] = text.split(/[.,]/);
    return `${text} may be read in two ways. Write ${whole}${decimals}, or ${whole}.${decimals.slice(0, -1)}.`;
  }
  return DECIMAL.test(text) ? undefined : "This is not a number, such as 12.50.";
}

/** JSON if the text is JSON that a double does not change; else the text itself. */
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
    // A text that would be read as something else is shown in quotes.
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
