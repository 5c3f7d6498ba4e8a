import { Money } from "../../vocabulary/money";
import { invalid, outOfRange, tooLong, type Fault } from "../../vocabulary/reasons";
import { EMAIL_MAX_LENGTH, isEmailAddress } from "../../vocabulary/text/email-address";
import { codePoints, isStorable } from "../../vocabulary/text/unicode";

/** There is nothing where a text must be. */
export const empty: Fault = { message: "should not be empty", reason: { code: "REQUIRED" } };

/** Of a text of at most `most` code points and at least `least`. */
export const textFault = (value: unknown, most: number, least = 0): Fault | undefined => {
  if (typeof value !== "string") return invalid("must be a string");
  if (!isStorable(value)) return invalid("must be well-formed Unicode without NUL");
  const length = codePoints(value);
  if (length > most) return longerThan(most);
  if (length >= least) return undefined;
  const bounds = { min: least, max: most };
  return outOfRange(`must be longer than or equal to ${least} characters`, bounds);
};

export const longerThan = (most: number): Fault =>
  tooLong(`must be shorter than or equal to ${most} characters`, most);

/** Of a list of `least` to `most` elements. */
export function listFault(value: unknown, least: number, most: number): Fault | undefined {
  if (!Array.isArray(value)) return invalid("must be an array");
  const bounds = { min: least, max: most };
  if (value.length < least) return outOfRange(`must contain at least ${least} elements`, bounds);
  if (value.length > most) return outOfRange(`must contain no more than ${most} elements`, bounds);
  return undefined;
}

export function emailFault(value: unknown): Fault | undefined {
  if (isEmailAddress(value)) return undefined;
  const fault = invalid("must be an email");
  if (value === "") return { ...fault, reason: empty.reason };
  const isLong = typeof value === "string" && value.length > EMAIL_MAX_LENGTH;
  return isLong ? tooLong(fault.message, EMAIL_MAX_LENGTH) : fault;
}

/** Of an amount that was converted already. */
export function priceFault(value: unknown): Fault | undefined {
  if (value instanceof Money) return undefined;
  const [min, max] = [Money.ZERO.toString(), Money.MAX.toString()];
  const message = `must be a decimal from ${min} to ${max} with at most 2 decimal places`;
  const number = typeof value === "string" ? Number(value) : value;
  const isBeyond = typeof number === "number" && (number < 0 || number > Number(max));
  return isBeyond ? outOfRange(message, { min, max }) : invalid(message);
}
