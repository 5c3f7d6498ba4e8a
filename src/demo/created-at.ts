/** The time over which generated things are spread, in milliseconds: two years. */
const SPAN = 2 * 365 * 86_400_000;

/**
 * SQL of the moment at which the thing of `slot` was created: the parameters $3 and $4 are how many there
 * are and when the latest was created. Each slot has a stretch of its own, so no millisecond occurs
 * twice; where in it depends on `number`.
 */
export const createdAt = (number: string): string =>
  `$4::timestamptz - interval '1 millisecond'
     * (($3::bigint - slot) * (${SPAN} / $3::bigint) + pg_temp.pick(${number}, 11, ${SPAN} / $3::bigint))`;
