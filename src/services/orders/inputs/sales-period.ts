import { invalid, type Fault } from "../../../vocabulary/reasons";
import { isTimeZone, numberOfDays } from "../../../vocabulary/time-zones";
import { Instant, Text } from "../../input/fields";
import { rule } from "../../input/rules";
import type { CrossChecked } from "../../input/validate";

/** The most days of a period. */
export const MAX_DAYS = 400;

const DAY = 24 * 60 * 60 * 1000;

const periodFaults = (last: string, days: number, least: number): [string, Fault][] => {
  if (days < least) return [[last, invalid("must not be before from")]];
  return days > MAX_DAYS
    ? [[last, invalid(`must be so that the period has at most ${MAX_DAYS} days`)]]
    : [];
};

/** The IANA name of a time zone. */
export const TimeZone = (): PropertyDecorator =>
  rule("timeZone", (value) =>
    typeof value === "string" && isTimeZone(value)
      ? undefined
      : invalid("must be the IANA name of a time zone, such as Europe/Berlin"),
  );

/** Days of a time zone, such as `2026-01-31`; both are part of the period. */
export class SalesPeriod implements CrossChecked {
  @Text(10)
  from!: string;

  @Text(10)
  to!: string;

  @TimeZone()
  timeZone!: string;

  crossFaults() {
    return periodFaults("to", numberOfDays(this.from, this.to), 1);
  }
}

/** Times from `from` on and before `before`. */
export class SellingPeriod implements CrossChecked {
  @Instant()
  from!: Date;

  @Instant()
  before!: Date;

  crossFaults() {
    return periodFaults("before", (this.before.getTime() - this.from.getTime()) / DAY, 0);
  }
}
