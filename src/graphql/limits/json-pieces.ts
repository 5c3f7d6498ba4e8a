/**
 * The JSON of a value in pieces, together the same as `JSON.stringify` gives. The entries of a list are pieces
 * of their own, so that a text can be given up long before its end.
 */
export function* jsonPieces(value: unknown): Generator<string, void> {
  if (Array.isArray(value)) {
    let before = "[";
    for (const entry of value) {
      yield before + json(entry);
      before = ",";
    }
    yield value.length === 0 ? "[]" : "]";
  } else if (hasMembers(value)) {
    let before = "{";
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${json(name)}:`;
      yield* jsonPieces(member);
      before = ",";
    }
    yield before === "{" ? "{}" : "}";
  } else yield json(value);
}

/** Whether a value is an object whose members are its JSON, unlike a date. */
const hasMembers = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  typeof (value as { toJSON?: unknown }).toJSON !== "function";

/** In a list, what has no JSON is null. */
const json = (value: unknown): string => (value === undefined ? "null" : JSON.stringify(value));
