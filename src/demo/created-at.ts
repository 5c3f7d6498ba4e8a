/** The period over which generated rows are spread, in milliseconds: two years. */
const SPAN = 2 * 365 * 86_400_000;

/**
 * SQL for the time at which the row of `slot` was created. The parameter $3 is the number of slots, $4 the time of
 * the last one. Each slot has its own part of the period, so that no two rows have the same millisecond; `number`
 * determines the time within that part.
 */
export const createdAt = (number: string): string =>
  `$4::timestamptz - interval '1 millisecond'
     * (($3::bigint - slot) * (${SPAN} / $3::bigint) + pg_temp.pick(${number}, 11, ${SPAN} / $3::bigint))`;
