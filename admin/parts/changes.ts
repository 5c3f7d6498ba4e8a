/** The fields in which what is wanted differs from what was there: only they are sent. */
export const changesOf = (
  wanted: Readonly<Record<string, unknown>>,
  previous: object,
  fields: readonly string[],
): Record<string, unknown> =>
  Object.fromEntries(
    fields
      .filter((field) => field in wanted && wanted[field] !== (previous as never)[field])
      .map((field) => [field, wanted[field]]),
  );
