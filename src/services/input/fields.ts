import { Money } from "../../vocabulary/money";
import { invalid, outOfRange, tooLong, type Fault } from "../../vocabulary/reasons";
import {
  EMAIL_MAX_LENGTH,
  isEmailAddress,
  isNewEmailAddress,
  normalAddress,
} from "../../vocabulary/text/email-address";
import { passwordFault } from "../../vocabulary/text/password";
import { isBlank } from "../../vocabulary/text/unicode";
import { parseTime } from "../../vocabulary/times";
import {
  all,
  Converted,
  Elements,
  empty,
  listFault,
  longerThan,
  priceFault,
  rule,
  textFault,
  type Conversion,
  type InputClass,
} from "./rules";

/** Maximum lengths of the texts in the catalogue, in characters (code points). */
export const MAX_LENGTH = { name: 120, slug: 120, description: 5000 } as const;

/** A name with at least one visible character; it is trimmed. */
export const Name = (): PropertyDecorator =>
  all(
    Converted((value) => (typeof value === "string" ? value.trim() : value)),
    rule("name", (value) =>
      typeof value === "string" && isBlank(value) ? empty : textFault(value, MAX_LENGTH.name),
    ),
  );

export const Description = (): PropertyDecorator => Text(MAX_LENGTH.description);

/** Text of at most `most` code points and at least `least`, not trimmed. */
export const Text = (most: number, least = 0): PropertyDecorator =>
  rule("text", (value) => textFault(value, most, least));

/** Text to filter by: any text that could be stored, of any length but not empty. */
export const FilterText = (): PropertyDecorator =>
  rule("filter", (value) => (value === "" ? empty : textFault(value, Infinity)));

export const OneOf = (values: readonly string[]): PropertyDecorator =>
  rule("oneOf", (value) =>
    values.some((each) => each === value)
      ? undefined
      : invalid(`must be one of the following values: ${values.join(", ")}`),
  );

/** A list of some of these values; none comes twice. */
export const SomeOf = (values: readonly string[]): PropertyDecorator =>
  rule("someOf", (value) => {
    const fault = listFault(value, 0, values.length);
    if (fault) return fault;
    const given = value as unknown[];
    if (!given.every((each) => values.some((known) => known === each))) {
      return invalid(`must be some of the following values: ${values.join(", ")}`);
    }
    return new Set(given).size < given.length ? invalid("must not name a value twice") : undefined;
  });

export const Instant = (): PropertyDecorator =>
  rule("instant", (value) =>
    value instanceof Date && !Number.isNaN(value.getTime())
      ? undefined
      : invalid("must be a Date instance"),
  );

/** A Date, from its text in UTC. */
export const TimeText = (): PropertyDecorator =>
  all(
    Converted((value) => (typeof value === "string" ? (parseTime(value) ?? value) : value)),
    rule("time", (value) =>
      value instanceof Date
        ? undefined
        : invalid("must be a time in UTC such as 2024-05-01T12:30:00.000Z"),
    ),
  );

/** Any integer, but not a string of digits. */
export const WholeNumber = (): PropertyDecorator =>
  rule("integer", (value) =>
    Number.isInteger(value) ? undefined : invalid("must be an integer number"),
  );

/** A list of at most `most` integers, none of them a string of digits. */
export const WholeNumbers = (most: number): PropertyDecorator =>
  rule("wholeNumbers", (value) => {
    const fault = listFault(value, 0, most);
    if (fault) return fault;
    const areIntegers = (value as unknown[]).every(Number.isInteger);
    return areIntegers ? undefined : invalid("must be integers");
  });

/** A password that is compared with the stored one: any text of any length that is not empty. */
export const PasswordAttempt = (): PropertyDecorator =>
  rule("password", (value) => {
    if (value === undefined || value === null || value === "") return empty;
    return textFault(value, Infinity);
  });

/** A password to set, under the same rules as on the command line; it is not trimmed. */
export const NewPassword = (): PropertyDecorator =>
  rule("newPassword", (value) =>
    typeof value === "string" ? passwordFault(value) : invalid("must be a string"),
  );

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const Slug = (): PropertyDecorator =>
  rule("slug", (value) => {
    if (typeof value !== "string") return invalid("must be a string");
    if (value.length > MAX_LENGTH.slug) return longerThan(MAX_LENGTH.slug);
    if (SLUG.test(value)) return undefined;
    return invalid("must be lower-case words of a-z and 0-9 joined by single hyphens");
  });

/** A JSON boolean. No other value is converted to one. */
export const Flag = (): PropertyDecorator =>
  rule("flag", (value) =>
    typeof value === "boolean" ? undefined : invalid("must be a boolean value"),
  );

const toInteger: Conversion = (value) =>
  typeof value === "string" && /^[0-9]+$/.test(value) ? Number(value) : value;

/** An integer from 1 to `most`, or a string of its base-10 digits. */
export const PositiveInteger = (most: number): PropertyDecorator =>
  all(
    Converted(toInteger),
    WholeNumber(),
    rule("min", (value) =>
      typeof value === "number" && value >= 1
        ? undefined
        : outOfRange("must not be less than 1", { min: 1, max: most }),
    ),
    rule("max", (value) =>
      typeof value === "number" && value > most
        ? outOfRange(`must not be greater than ${most}`, { min: 1, max: most })
        : undefined,
    ),
  );

/** An id. An id beyond the database's integers is valid input, but no resource has it. */
export const Id = (): PropertyDecorator => PositiveInteger(Number.MAX_SAFE_INTEGER);

/** A {@link Money}, from a decimal string or a JSON number. */
export const Price = (): PropertyDecorator =>
  all(
    Converted((value) => Money.parse(value) ?? value),
    rule("price", priceFault),
  );

/** A list of `least` to `most` inputs of the class `Element`. */
export const ListOf = (
  Element: () => InputClass,
  { least, most }: { least: number; most: number },
): PropertyDecorator =>
  all(
    Elements(Element),
    rule("list", (value) => listFault(value, least, most)),
  );

/** An e-mail address to look for: any that may be stored. */
export const Email = (): PropertyDecorator => EmailIf(isEmailAddress);

/** An e-mail address to store, in NFC; its letter case stays as given. */
export const NewEmail = (): PropertyDecorator =>
  all(
    Converted((value) => (typeof value === "string" ? normalAddress(value) : value)),
    EmailIf(isNewEmailAddress),
  );

const EmailIf = (accepts: (value: unknown) => boolean): PropertyDecorator =>
  rule("email", (value) => emailFault(value, accepts));

/** The fault of a value that must be an e-mail address, as `accepts` judges it. */
function emailFault(value: unknown, accepts: (value: unknown) => boolean): Fault | undefined {
  if (accepts(value)) return undefined;
  const fault = invalid("must be an email");
  if (value === "") return { ...fault, reason: empty.reason };
  const isLong = typeof value === "string" && value.length > EMAIL_MAX_LENGTH;
  return isLong ? tooLong(fault.message, EMAIL_MAX_LENGTH) : fault;
}

const URL_MAX_LENGTH = 2000;

/** An absolute http or https URL without a user or a fragment. It stays as given. */
export const WebUrl = (): PropertyDecorator =>
  rule("url", (value) => {
    if (value === "") return empty;
    const fault = textFault(value, URL_MAX_LENGTH);
    if (fault) return fault;
    const text = String(value);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
    if (!url || !isWeb) return invalid("must be an http or https URL");
    if (url.username !== "" || url.password !== "") return invalid("must not have a user");
    return text.includes("#") ? invalid("must not have a fragment") : undefined;
  });
