import { IsBoolean, IsDate, IsInt, Min } from "class-validator";
import { Money } from "../../money";
import { isEmailAddress } from "../../text/email-address";
import { codePoints, isStorable, showsNothing } from "../../text/unicode";
import { all, Converted, Elements, rule, type Conversion, type InputClass } from "./rules";

/** Greatest value of a 32-bit integer, which ids and quantities are stored as. */
export const MAX_INTEGER = 2_147_483_647;

/** Most characters (code points) of the texts of the catalogue. */
export const MAX_LENGTH = { name: 120, slug: 120, description: 5000 } as const;

const textFault = (value: unknown, most: number): string | undefined => {
  if (typeof value !== "string") return "must be a string";
  if (!isStorable(value)) return "must be well-formed Unicode without NUL";
  if (codePoints(value) > most) return `must be shorter than or equal to ${most} characters`;
  return undefined;
};

/** A name: trimmed, and some of it can be seen. */
export const Name = (): PropertyDecorator =>
  all(
    Converted((value) => (typeof value === "string" ? value.trim() : value)),
    rule("name", (value) =>
      typeof value === "string" && showsNothing(value)
        ? "should not be empty"
        : textFault(value, MAX_LENGTH.name),
    ),
  );

/** A description, kept as given. */
export const Description = (): PropertyDecorator => Text(MAX_LENGTH.description);

/** Text of at most `most` code points, kept as given. */
export const Text = (most: number): PropertyDecorator =>
  rule("text", (value) => textFault(value, most));

/** An e-mail address, kept as given. */
export const Email = (): PropertyDecorator =>
  rule("email", (value) => (isEmailAddress(value) ? undefined : "must be an email"));

/** Text that a stored one is compared with. */
export const FilterText = (): PropertyDecorator =>
  rule("filter", (value) => (value === "" ? "should not be empty" : textFault(value, Infinity)));

/** One of the values. */
export const OneOf = (values: readonly string[]): PropertyDecorator =>
  rule("oneOf", (value) =>
    values.some((each) => each === value)
      ? undefined
      : `must be one of the following values: ${values.join(", ")}`,
  );

/** A point in time. */
export const Instant = (): PropertyDecorator => IsDate();

/** Any integer, as it is. */
export const WholeNumber = (): PropertyDecorator => IsInt();

/** A password that is tried: not empty, and otherwise whatever it is. */
export const PasswordAttempt = (): PropertyDecorator =>
  rule("password", (value) => {
    if (value === undefined || value === null || value === "") return "should not be empty";
    return textFault(value, Infinity);
  });

/** Words of a-z and 0-9 joined by single hyphens. */
export const Slug = (): PropertyDecorator =>
  rule("slug", (value) => {
    if (typeof value !== "string") return "must be a string";
    if (value.length > MAX_LENGTH.slug)
      return `must be shorter than or equal to ${MAX_LENGTH.slug} characters`;
    if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(value)) return undefined;
    return "must be lower-case words of a-z and 0-9 joined by single hyphens";
  });

/** A JSON boolean; nothing converts to one. */
export const Flag = (): PropertyDecorator => IsBoolean();

const toInteger: Conversion = (value) =>
  typeof value === "string" && /^[0-9]+$/.test(value) ? Number(value) : value;

const AtMost = (most: number): PropertyDecorator =>
  rule("max", (value) =>
    typeof value === "number" && value > most ? `must not be greater than ${most}` : undefined,
  );

/** An integer from 1 to `most`, also as a string of base-10 digits. */
export const PositiveInteger = (most: number): PropertyDecorator =>
  all(Converted(toInteger), IsInt(), Min(1), AtMost(most));

/** The id of something stored. Whether it exists, ids beyond the database's integer included, is the service's to say. */
export const Id = (): PropertyDecorator => PositiveInteger(Number.MAX_SAFE_INTEGER);

/** A {@link Money}, from a decimal string or a JSON number that is one to the last digit sent; nothing is rounded. */
export const Price = (): PropertyDecorator =>
  all(
    Converted(
      (value, numeral) =>
        (numeral === undefined ? Money.parse(value) : Money.ofNumeral(numeral)) ?? value,
    ),
    rule("price", (value) =>
      value instanceof Money
        ? undefined
        : `must be a decimal from ${Money.ZERO} to ${Money.MAX} with at most 2 decimal places`,
    ),
  );

/** A list of `least` to `most` inputs of a class of their own. */
export const ListOf = (
  Element: () => InputClass,
  { least, most }: { least: number; most: number },
): PropertyDecorator =>
  all(
    Elements(Element),
    rule("list", (value) => {
      if (!Array.isArray(value)) return "must be an array";
      if (value.length < least) return `must contain at least ${least} elements`;
      if (value.length > most) return `must contain no more than ${most} elements`;
      return undefined;
    }),
  );
