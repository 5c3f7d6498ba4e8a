import type { Request } from "express";
import { formats, type Format } from "../files/file-text";
import { OneOf } from "../services/input/fields";
import { must, OptionalOrNull, type InputClass } from "../services/input/rules";
import { validate } from "../services/input/validate";
import { TimeZone } from "../services/orders/inputs";
import { invalidInput } from "../vocabulary/errors";
import { invalid } from "../vocabulary/reasons";

/** For whom a file is: people read it in a spreadsheet, programs exactly. */
const audiences = ["people", "programs"] as const;

/** What a line of orders is. */
const rowKinds = ["orders", "items"] as const;

/** How a file is written. */
export class ExportTerms {
  @OptionalOrNull()
  @OneOf(formats)
  format?: Format;

  @OptionalOrNull()
  @OneOf(audiences)
  for?: (typeof audiences)[number];

  @OptionalOrNull()
  @OneOf(rowKinds)
  rows?: (typeof rowKinds)[number];

  @OptionalOrNull()
  @TimeZone()
  timeZone?: string;

  @OptionalOrNull()
  @must("locale", "be a language tag, such as de-DE", isLocale)
  locale?: string;
}

function isLocale(value: unknown): boolean {
  try {
    return typeof value === "string" && Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

const OPTIONS = ["format", "for", "rows", "timeZone", "locale"];

/**
 * The terms of an export and its filter, from the query of its address. A parameter that is unknown or can't be read is
 * refused: else the file would have more than was asked for.
 *
 * @throws DomainError INVALID_INPUT
 */
export function termsOf<Filter extends object>(
  request: Request,
  Filter: InputClass<Filter>,
): { readonly terms: ExportTerms; readonly filter: Filter } {
  const query = request.query as unknown as URLSearchParams;
  const options: Record<string, unknown> = {};
  const conditions: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (OPTIONS.includes(name)) options[name] = values.length === 1 ? values[0] : values;
    else conditions[name] = conditionOf(name, values);
  }
  const terms = validate(ExportTerms, options);
  if (terms.format === "jsonl" && terms.for === "people") {
    throw invalidInput([invalid("for must be programs, or format csv", "for")]);
  }
  return { terms, filter: validate(Filter, conditions) };
}

/** The value of a condition as GraphQL has it. What can't be read stays as it is, and the filter refuses it. */
function conditionOf(name: string, values: readonly string[]): unknown {
  const list = values.flatMap((value) => value.split(","));
  if (name === "statuses") return list;
  if (name === "ids") return list.map(integerOf);
  const [value = ""] = values;
  if (values.length > 1) return values;
  if (name === "categoryId") return integerOf(value);
  if (name === "isActive") return { true: true, false: false }[value] ?? value;
  return name === "placedFrom" || name === "placedBefore" ? timeOf(name, value) : value;
}

const integerOf = (text: string): unknown => (/^[0-9]{1,10}$/.test(text) ? Number(text) : text);

/** RFC 3339, as GraphQL's `DateTime`. */
const TIME =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

function timeOf(name: string, text: string): Date {
  const time = new Date(TIME.test(text) ? text : NaN);
  if (!Number.isNaN(time.getTime())) return time;
  const message = `${name} must be a time with its offset, such as 2026-01-31T09:30:00Z`;
  throw invalidInput([invalid(message, name)]);
}
