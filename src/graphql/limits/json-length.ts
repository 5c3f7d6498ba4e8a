/** Whether the JSON of a value takes more than `most` bytes in UTF-8; stops reading as soon as that is certain. */
export const isLongerAsJson = (value: unknown, most: number): boolean =>
  // Nearly all answers are far from the limit, which their texts need not be measured for.
  exceeds(value, most, longestBytes) && exceeds(value, most, textBytes);

function exceeds(value: unknown, most: number, bytesOf: (text: string) => number): boolean {
  let left = most;

  function read(part: unknown): void {
    if (left < 0) return;
    if (typeof part === "string") left -= bytesOf(part);
    else if (typeof part !== "object" || part === null) left -= String(part).length;
    else if (hasJson(part)) read(part.toJSON());
    else if (Array.isArray(part)) readAll(part);
    else readMembers(part);
  }

  function readAll(elements: readonly unknown[]): void {
    left -= 2 + Math.max(0, elements.length - 1);
    for (const element of elements) read(element);
  }

  function readMembers(object: object): void {
    left -= 2;
    let isFirst = true;
    for (const [name, member] of Object.entries(object)) {
      if (member === undefined) continue;
      left -= bytesOf(name) + (isFirst ? 1 : 2);
      isFirst = false;
      read(member);
    }
  }

  read(value);
  return left < 0;
}

/** What a text takes if each of its code units is written as an escape such as \u0001. */
const longestBytes = (text: string): number => 2 + 6 * text.length;

const textBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));

const hasJson = (value: object): value is { toJSON(): unknown } =>
  typeof (value as { toJSON?: unknown }).toJSON === "function";
