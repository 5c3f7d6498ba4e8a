import { isObject, valueOf } from "../objects";

/** The place of a value in the variables: names of fields, and indexes of lists. */
export type Path = readonly (string | number)[];

/**
 * A copy of the value with a replacement in the place to which the path leads. Missing objects and lists on the way
 * are created.
 *
 * @param replacement undefined removes a key; in a list, which has no gaps, it becomes null
 */
export function withValue(value: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...below] = path;
  if (key === undefined) return replacement;
  if (typeof key === "number") {
    const list: unknown[] = Array.isArray(value) ? [...(value as unknown[])] : [];
    list[key] = withValue(list[key], below, replacement) ?? null;
    return list;
  }
  const object = isObject(value) ? value : {};
  const inner = withValue(valueOf(object, key), below, replacement);
  if (inner !== undefined) return { ...object, [key]: inner };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);
