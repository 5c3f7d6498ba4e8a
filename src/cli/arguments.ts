import { InvalidArgumentError } from "commander";
import { daysBefore, monthsBefore, parseTime } from "../vocabulary/times";
import { isEmailAddress, isNewEmailAddress, normalAddress } from "../vocabulary/text/email-address";

export const integerFrom =
  (least: number, most: number) =>
  (text: string): number => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be an integer from ${least} to ${most}.`);
  };

export const emailAddress = (text: string): string => {
  if (isEmailAddress(text)) return text;
  throw new InvalidArgumentError("It must be an e-mail address.");
};

/** The address of a new account, as it is stored. */
export const newEmailAddress = (text: string): string => {
  const address = normalAddress(text);
  if (isNewEmailAddress(address)) return address;
  throw new InvalidArgumentError(
    "It must be an e-mail address. Characters that nobody sees are refused.",
  );
};

/** A time in UTC, or a day, which begins at midnight UTC. */
export const time = (text: string): Date => {
  const value = parseTime(text) ?? parseTime(`${text}T00:00:00Z`);
  if (value) return value;
  throw new InvalidArgumentError(
    "It must be a day or a time in UTC: 2026-05-01, 2026-05-01T12:30:00Z.",
  );
};

const AGO = /^([1-9][0-9]{0,3})([ymd])$/;

/** A time in the past: so many years, months or days ago (`3y`, `18m`, `90d`), or as {@link time} reads it. */
export const pastTime = (text: string): Date => {
  const [, count, unit] = AGO.exec(text) ?? [];
  const now = new Date();
  const value = count === undefined ? time(text) : ago(now, Number(count), unit);
  if (value < now) return value;
  throw new InvalidArgumentError("It must be a time in the past.");
};

function ago(now: Date, count: number, unit: string | undefined): Date {
  if (unit === "d") return daysBefore(now, count);
  return monthsBefore(now, unit === "y" ? 12 * count : count);
}
