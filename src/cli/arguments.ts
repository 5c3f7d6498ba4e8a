import { InvalidArgumentError } from "commander";
import { isEmailAddress } from "../text/email-address";

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
