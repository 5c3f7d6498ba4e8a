import { headingOf } from "./words";

/**
 * The format of instants: a medium date and a short time.
 *
 * @param locale by default the reader's; so is the zone
 */
export function instantFormat(
  locale?: string,
  timeZone?: string,
): (instant: string) => string | undefined {
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: "medium",
    timeStyle: "short",
    ...(timeZone === undefined ? {} : { timeZone }),
  });
  return (instant) => {
    const milliseconds = Date.parse(instant);
    return Number.isNaN(milliseconds) ? undefined : format.format(milliseconds);
  };
}

/** Characters of a text that a cell shows. */
const SHOWN = 80;

/** The beginning of a text that is too long for a cell; undefined for other texts. */
export function cut(text: string): string | undefined {
  if (text.length <= SHOWN) return undefined;
  const characters = Array.from(text.slice(0, 2 * SHOWN));
  const isWhole = characters.length <= SHOWN && text.length <= 2 * SHOWN;
  return isWhole ? undefined : `${characters.slice(0, SHOWN).join("").trimEnd()}…`;
}

/** Values of enums that are names, which are not written as other words are. */
const NAMES: Readonly<Record<string, string>> = { GRAPHQL: "GraphQL", REST: "REST" };

/** The value of an enum in words: "Not yet paid" for `NOT_YET_PAID`. */
export const enumText = (value: string): string => NAMES[value] ?? headingOf(value);

export type Tone = "done" | "open" | "off" | "plain";

const TONES: Readonly<Record<string, Tone>> = {
  ...tones("done", "ACTIVE", "APPROVED", "COMPLETED", "CONFIRMED", "DELIVERED", "DONE", "PAID"),
  ...tones("open", "DRAFT", "NEW", "OPEN", "PENDING", "PROCESSING", "WAITING"),
  ...tones(
    "off",
    "BLOCKED",
    "CANCELED",
    "CANCELLED",
    "EXPIRED",
    "FAILED",
    "GIVEN_UP",
    "REFUNDED",
    "REJECTED",
  ),
};

/** The tone of an enum's value: plain, unless the word is known to be good, open or bad news. */
export const toneOf = (value: string): Tone => TONES[value] ?? "plain";

function tones(tone: Tone, ...values: readonly string[]): Record<string, Tone> {
  return Object.fromEntries(values.map((value) => [value, tone]));
}

/** Today's date in the reader's zone, in ISO 8601. */
export function isoDate(now: Date): string {
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
