import { DomainError } from "../../vocabulary/errors";
import { parseJson } from "../../vocabulary/exact-json";
import type { SourceLine } from "./text-lines";

/** The text of a file of JSON lines. */
export async function* jsonLinesText(
  batches: AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  for await (const objects of batches) {
    yield objects.map((object) => `${JSON.stringify(object)}\n`).join("");
  }
}

/** A line of a file: an object, or the reason why the line is not an object. */
export type ObjectLine =
  | { readonly line: number; readonly entry: object }
  | { readonly line: number; readonly reason: string };

/** The objects of a file of JSON lines. Blank lines are left out. */
export async function* readJsonLines(lines: AsyncIterable<SourceLine>): AsyncGenerator<ObjectLine> {
  for await (const { line, text } of lines) {
    if (text === undefined) yield { line, reason: "is too long" };
    else if (text.trim() !== "") yield { line, ...objectOf(text) };
  }
}

function objectOf(text: string): { readonly entry: object } | { readonly reason: string } {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (fault) {
    return { reason: fault instanceof DomainError ? fault.message : "is not valid JSON" };
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { entry: value }
    : { reason: "is not a JSON object" };
}
