/** Bytes of an object or a list besides its texts. */
const OBJECT = 256;

/** Characters of texts that need not be measured, because they are short. */
const SHORT = 100;

/** About the bytes of memory that rows take, in whatever objects and lists they come. */
export function memoryOf(value: unknown): number {
  if (typeof value === "string") return bytesOf(value);
  if (typeof value !== "object" || value === null) return 0;
  let bytes = OBJECT;
  // Without the lists that Object.values would make of each row.
  for (const name in value) bytes += memoryOf((value as Record<string, unknown>)[name]);
  return bytes;
}

const bytesOf = (text: string): number =>
  text.length < SHORT ? text.length : Buffer.byteLength(text);
