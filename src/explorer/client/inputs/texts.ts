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

/** Digits behind a comma that parts thousands, where a language writes so. */
const THOUSANDS = 3;

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

/** Whether the language of the reader writes 12,50. */
const hasComma = (language?: string): boolean =>
  new Intl.NumberFormat(language)
    .formatToParts(0.5)
    .some(({ type, value }) => type === "decimal" && value === ",");

const isAmbiguous = (text: string): boolean =>
  WITH_COMMA.test(text) && text.length - text.indexOf(",") - 1 === THOUSANDS;

/**
 * An amount as the service takes it. A comma is a point where the language writes so; with three digits behind it,
 * which may as well be a thousand, it stays, and is refused.
 *
 * @param language that of the reader if it is left out
 */
export function amountIn(text: string, language?: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const isPoint = WITH_COMMA.test(trimmed) && !isAmbiguous(trimmed) && hasComma(language);
  return isPoint ? trimmed.replace(",", ".") : trimmed;
}

function amountFault(text: string): string | undefined {
  if (DECIMAL.test(text)) return undefined;
  if (!isAmbiguous(text)) return "This is not a number, such as 12.50.";
  return `${text} may be read in two ways. Write ${text.replace(",", "")}, or ${text.slice(0, -1).replace(",", ".")}.`;
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
