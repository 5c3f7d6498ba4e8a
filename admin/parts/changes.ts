/** The fields in which what is wanted differs from what was there: only they are sent. */
export const changesOf = (
  wanted: Readonly<Record<string, unknown>>,
  previous: object,
  fields: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter((field) => field in wanted && differ(wanted[field], (previous as never)[field]))
      .map((field) => [field, wanted[field]]),
  );

/** Whether two values of a field, such as lists of types, are not the same. */
export const differ = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) !== JSON.stringify(other);
