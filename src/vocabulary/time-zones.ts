const DAY = 24 * 60 * 60 * 1000;

/** Whether a text is an IANA name of a time zone, such as `Europe/Berlin`; an offset such as `+01:00` is none. */
export function isTimeZone(name: string): boolean {
  try {
    clockOf(name); // throws for what is no name
    return /^[a-z]/i.test(name);
  } catch {
    return false;
  }
}

/** The days from one to another, both inclusive, as `2026-01-31`. */
export const daysBetween = (from: string, to: string): string[] =>
  Array.from({ length: numberOfDays(from, to) }, (_, n) => dayAfter(from, n));

/** The day after a day, or so many days after it. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(midnight(day) + days * DAY).toISOString().slice(0, -"T00:00:00.000Z".length);

/** The number of days from one to another, both inclusive; 0 or less if the other is earlier. */
export const numberOfDays = (from: string, to: string): number =>
  (midnight(to) - midnight(from)) / DAY + 1;

/**
 * Returns the moment at which a day begins in a time zone, in milliseconds since 1970. Where the clock skips midnight,
 * that is the first moment after it; where it shows midnight twice, the first of both.
 */
export function dayStarts(timeZone: string): (day: string) => number {
  const localTime = clockOf(timeZone);
  const offset = (time: number): number => localTime(time) - time;
  return (day) => {
    const local = midnight(day);
    const [before, after] = [local - offset(local - DAY), local - offset(local + DAY)];
    if (before === after) return before;
    let [earlier, start] = [local - 1.5 * DAY, local + 1.5 * DAY];
    while (start - earlier > 1000) {
      const middle = Math.floor((earlier + start) / 2000) * 1000;
      if (localTime(middle) >= local) start = middle;
      else earlier = middle;
    }
    return start;
  };
}

const midnight = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** What a clock in a time zone shows at a moment of a whole second, as if in UTC. */
function clockOf(timeZone: string): (time: number) => number {
  const units = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ ...units, hour: "numeric", minute: "numeric", second: "numeric" },
    ...{ timeZone, hourCycle: "h23" },
  });
  return (time) => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
      ["year", "month", "day", "hour", "minute", "second"] as const
    ).map((part) => Number(parts.get(part)));
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
}
