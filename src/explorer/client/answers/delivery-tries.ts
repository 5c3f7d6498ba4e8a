import { isObject, valueOf } from "../objects";

/**
 * The lines that say in words how the attempts of a delivery ended: "4 Jul 2026, 22:30: 500, “Out of stock”".
 *
 * @param tell how an instant is shown; by default as the service sends it
 * @param show how the text of an answer is shown; by default whole
 */
export function linesOfTries(
  value: unknown,
  tell: (instant: string) => string = (instant) => instant,
  show: (text: string) => string = (text) => text,
): readonly string[] {
  const tries = Array.isArray(value) ? value.filter(isObject) : [];
  return tries.map((each) => {
    const answer = textIn(each, "answer");
    const parts = [textIn(each, "status"), textIn(each, "fault"), answer && `“${show(answer)}”`];
    return [tell(textIn(each, "at")), parts.filter(Boolean).join(", ")].filter(Boolean).join(": ");
  });
}

/** The text of a field; empty if it was not selected, or is null. */
function textIn(object: object, field: string): string {
  const value = valueOf(object, field);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
