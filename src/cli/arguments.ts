import { InvalidArgumentError } from "commander";
import { parseTime } from "../vocabulary/times";
import { isEmailAddress } from "../vocabulary/text/email-address";

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

/** A time in UTC, or a day, which begins at midnight UTC. */
export const time = (text: string): Date => {
  const value = parseTime(text) ?? parseTime(`${text}T00:00:00Z`);
  if (value) return value;
  throw new InvalidArgumentError(
    "It must be a day or a time in UTC: 2026-05-01, 2026-05-01T12:30:00Z.",
  );
};
