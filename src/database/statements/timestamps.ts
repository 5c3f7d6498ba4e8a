import { types } from "pg";

/** Reads every form, and takes ten times as long, which shows in a list of rows with two times each. */
const parseAnyForm = types.getTypeParser(types.builtins.TIMESTAMPTZ) as (
  text: string,
) => Date | number;

/** `2026-11-22 10:31:37.123456+00`, as every session of the service writes times. */
const ZONE = "+00";
const SECONDS_END = 19;

const ZERO = 48;
const digit = (text: string, at: number): number => text.charCodeAt(at) - ZERO;
const twoDigits = (text: string, at: number): number => 10 * digit(text, at) + digit(text, at + 1);

/** The time that PostgreSQL has written as `timestamptz`, to the millisecond; infinity is a number. */
export const parseTimestamp = (text: string): Date | number =>
  parseIsoInUtc(text) ?? parseAnyForm(text);

/**
 * The time of a session with `DateStyle` ISO in UTC. Undefined for times that it writes otherwise: before the
 * year 100 or after 9999, and infinity.
 */
function parseIsoInUtc(text: string): Date | undefined {
  const end = text.length - ZONE.length;
  if (text[4] !== "-" || text[10] !== " " || !text.endsWith(ZONE)) return undefined;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  if (!(year >= 100)) return undefined; // Date.UTC takes 99 for 1999
  let milliseconds = 0;
  for (let at = SECONDS_END + 1, unit = 100; at < end && unit >= 1; at += 1, unit /= 10) {
    milliseconds += unit * digit(text, at);
  }
  return new Date(
    Date.UTC(
      year,
      twoDigits(text, 5) - 1,
      twoDigits(text, 8),
      twoDigits(text, 11),
      twoDigits(text, 14),
      twoDigits(text, 17),
      milliseconds,
    ),
  );
}
