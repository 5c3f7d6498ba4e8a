/** A time in UTC without fractions of a second. */
const UTC_SECONDS = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.0{1,3})?Z$/;

/** A date and time without a zone, as pickers have it. */
const LOCAL = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?$/;

/**
 * The text of a picker for an instant, in the reader's zone, with seconds only if they are not 0. Undefined if no text
 * of a picker means exactly this instant, for example because it has fractions of a second, or is in the second of the
 * two equal hours when clocks are set back.
 */
export function localOf(instant: unknown): string | undefined {
  if (typeof instant !== "string" || !UTC_SECONDS.test(instant)) return undefined;
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return undefined;
  const local = textOf(time);
  return instantOf(local) === time.toISOString() && sameDay(instant, time) ? local : undefined;
}

/**
 * The instant that the text of a picker means in the reader's zone, in UTC as `toISOString` writes it. A time that
 * clocks skip is moved forward by as much as they skip. Of a time that comes twice, the first one counts.
 */
export function instantOf(local: string): string | undefined {
  if (!LOCAL.test(local)) return undefined;
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** Whether a time is on the day that its text names: `Date` reads 30 February as 1 March. */
const sameDay = (instant: string, time: Date): boolean =>
  time.toISOString().startsWith(instant.slice(0, 10));

function textOf(time: Date): string {
  const date = [digits(time.getFullYear(), 4), digits(time.getMonth() + 1), digits(time.getDate())];
  const clock = [digits(time.getHours()), digits(time.getMinutes())];
  if (time.getSeconds() !== 0) clock.push(digits(time.getSeconds()));
  return `${date.join("-")}T${clock.join(":")}`;
}

const digits = (number: number, length = 2): string => String(number).padStart(length, "0");
