/** The first day of 4713 BC. PostgreSQL stores no earlier time, but every later time of a Date. */
const EARLIEST = new Date(Date.UTC(-4712, 0, 1));

/** Whether the database can store the time; false for an invalid Date. */
export const isStorableTime = (time: Date): boolean => time >= EARLIEST;

/**
 * ISO 8601 as `toISOString` writes it, of the years 1 to 9999; seconds may have fewer decimals. Year 0 is 1 BC: of other
 * years, PostgreSQL's texts in events and in the audit log show another time.
 */
const UTC_TIME = /^((?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9:]{8}(?:\.[0-9]{1,3})?Z$/;

/** Reads a time in UTC, such as `2024-05-01T12:30:00.000Z`; undefined if it is none. */
export function parseTime(text: string): Date | undefined {
  const [, day] = UTC_TIME.exec(text) ?? [];
  if (day === undefined) return undefined;
  const time = new Date(text);
  // Date reads 30 February as 1 March, and 24:00 as the next day.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) ? time : undefined;
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
