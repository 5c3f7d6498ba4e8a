/** The first day of 4713 BC. PostgreSQL stores no earlier time, but every later time of a Date. */
const EARLIEST = new Date(Date.UTC(-4712, 0, 1));

/** Whether the database can store the time; false for an invalid Date. */
export const isStorableTime = (time: Date): boolean => time >= EARLIEST;

/** ISO 8601 as `toISOString` writes it; seconds may have fewer decimals. */
const UTC_TIME = /^((?:[0-9]{4}|[+-][0-9]{6})-[0-9]{2}-[0-9]{2})T[0-9:]{8}(?:\.[0-9]{1,3})?Z$/;

/** Reads a time in UTC, such as `2024-05-01T12:30:00.000Z`; undefined if it is none or can't be stored. */
export function parseTime(text: string): Date | undefined {
  const [, day] = UTC_TIME.exec(text) ?? [];
  if (day === undefined) return undefined;
  const time = new Date(text);
  // Date reads 30 February as 1 March, and 24:00 as the next day.
  return isStorableTime(time) && time.toISOString().startsWith(day) ? time : undefined;
}

const DAY = 24 * 60 * 60 * 1000;

export const daysBefore = (time: Date, days: number): Date => new Date(time.getTime() - days * DAY);

/** The same day and time of an earlier month in UTC, or the last day of that month if it has no such day. */
export function monthsBefore(time: Date, months: number): Date {
  const earlier = new Date(time);
  earlier.setUTCMonth(time.getUTCMonth() - months);
  if (earlier.getUTCDate() !== time.getUTCDate()) earlier.setUTCDate(0);
  return earlier;
}
