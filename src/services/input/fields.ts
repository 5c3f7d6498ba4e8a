import { Money } from "../../vocabulary/money";
import { invalid, outOfRange, tooLong, type Issue } from "../../vocabulary/reasons";
import {
  EMAIL_MAX_LENGTH,
  isEmailAddress,
  isNewEmailAddress,
  normalAddress,
} from "../../vocabulary/text/email-address";
import { passwordIssue } from "../../vocabulary/text/password";
import { isBlank } from "../../vocabulary/text/unicode";
import { parseTime } from "../../vocabulary/times";
import {
  composeDecorators,
  Converted,
  Elements,
  empty,
  listIssue,
  longerThan,
  must,
  priceIssue,
  rule,
  textIssue,
  type Conversion,
  type InputClass,
} from "./rules";

/** Maximum lengths of the texts in the catalogue, in characters (code points). */
export const MAX_LENGTH = { name: 120, slug: 120, description: 5000 } as const;

/** The conversion of texts; every other value stays as it is. */
const ofText =
  (convert: (text: string) => unknown): Conversion =>
  (value) =>
    typeof value === "string" ? convert(value) : value;

/** A name with at least one visible character; it is trimmed. */
export const Name = (): PropertyDecorator =>
  rule(
    "name",
    (value) =>
      typeof value === "string" && isBlank(value) ? empty : textIssue(value, MAX_LENGTH.name),
    ofText((text) => text.trim()),
  );

export const Description = (): PropertyDecorator => Text(MAX_LENGTH.description);

/** Text of at most `most` code points and at least `least`, not trimmed. */
export const Text = (most: number, least = 0): PropertyDecorator =>
  rule("text", (value) => textIssue(value, most, least));

/** Text to filter by: any text that could be stored, of any length but not empty. */
export const FilterText = (): PropertyDecorator =>
  rule("filter", (value) => (value === "" ? empty : textIssue(value, Infinity)));

export const OneOf = (values: readonly unknown[]): PropertyDecorator =>
  must("oneOf", `be one of the following values: ${values.join(", ")}`, (value) =>
    values.includes(value),
  );

/** A list of some of these values, each at most once. */
export const SomeOf = (values: readonly unknown[]): PropertyDecorator =>
  rule("someOf", (value) => {
    const issue = listIssue(value, 0, values.length);
    if (issue) return issue;
    const given = value as unknown[];
    if (!given.every((each) => values.includes(each))) {
      return invalid(`must be some of the following values: ${values.join(", ")}`);
    }
    return new Set(given).size < given.length ? invalid("must not name a value twice") : undefined;
  });

export const Instant = (): PropertyDecorator =>
  must(
    "instant",
    "be a Date instance",
    (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  );

/** A Date, from its text in UTC. */
export const TimeText = (): PropertyDecorator =>
  must(
    "time",
    "be a time in UTC such as 2024-05-01T12:30:00.000Z",
    (value) => value instanceof Date,
    ofText((text) => parseTime(text) ?? text),
  );

/** Any integer, but not a string of digits. */
export const WholeNumber = (): PropertyDecorator =>
  must("integer", "be an integer number", Number.isInteger);

/** A list of at most `most` integers, none of them a string of digits. */
export const WholeNumbers = (most: number): PropertyDecorator =>
  rule("wholeNumbers", (value) => {
    const issue = listIssue(value, 0, most);
    if (issue) return issue;
    return (value as unknown[]).every(Number.isInteger) ? undefined : invalid("must be integers");
  });

/** A password that is compared with the stored one: any text of any length that is not empty. */
export const PasswordAttempt = (): PropertyDecorator =>
  rule("password", (value) => ((value ?? "") === "" ? empty : textIssue(value, Infinity)));

/** A password to set, under the same rules as on the command line; it is not trimmed. */
export const NewPassword = (): PropertyDecorator =>
  rule("newPassword", (value) =>
    typeof value === "string" ? passwordIssue(value) : invalid("must be a string"),
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
  must("flag", "be a boolean value", (value) => typeof value === "boolean");

/** An integer from 1 to `most`, or a string of its base-10 digits. */
export function PositiveInteger(most: number): PropertyDecorator {
  const bounds = { min: 1, max: most };
  const isBelow = (value: unknown): boolean => !(typeof value === "number" && value >= 1);
  const isAbove = (value: unknown): boolean => typeof value === "number" && value > most;
  const tooLow = outOfRange("must not be less than 1", bounds);
  const tooHigh = outOfRange(`must not be greater than ${most}`, bounds);
  return composeDecorators(
    Converted(ofText((text) => (/^[0-9]+$/.test(text) ? Number(text) : text))),
    WholeNumber(),
    rule("min", (value) => (isBelow(value) ? tooLow : undefined)),
    rule("max", (value) => (isAbove(value) ? tooHigh : undefined)),
  );
}

/** An id. An id beyond the database's integers is valid input, but no resource has it. */
export const Id = (): PropertyDecorator => PositiveInteger(Number.MAX_SAFE_INTEGER);

/** A {@link Money}, from a decimal string or a JSON number. */
export const Price = (): PropertyDecorator =>
  rule("price", priceIssue, (value) => Money.parse(value) ?? value);

/** Stands for GraphQL's scalar `JSON` in decorators. */
export abstract class JsonValue {
  declare readonly json: unknown;
}

/** Any JSON value, which the service itself judges. */
export const AnyJson = (): PropertyDecorator => rule("json", () => undefined);

/** A list of `least` to `most` inputs of the class `Element`. */
export const ListOf = (
  Element: () => InputClass,
  { least, most }: { least: number; most: number },
): PropertyDecorator =>
  composeDecorators(
    Elements(Element),
    rule("list", (value) => listIssue(value, least, most)),
  );

/** An e-mail address to look for: any that may be stored. */
export const Email = (): PropertyDecorator => EmailIf(isEmailAddress);

/** An e-mail address to store, in NFC; its letter case stays as given. */
export const NewEmail = (): PropertyDecorator => EmailIf(isNewEmailAddress, ofText(normalAddress));

const EmailIf = (accepts: (value: unknown) => boolean, convert?: Conversion): PropertyDecorator =>
  rule("email", (value) => emailIssue(value, accepts), convert);

function emailIssue(value: unknown, accepts: (value: unknown) => boolean): Issue | undefined {
  if (accepts(value)) return undefined;
  const issue = invalid("must be an email");
  if (value === "") return { ...issue, reason: empty.reason };
  const isLong = typeof value === "string" && value.length > EMAIL_MAX_LENGTH;
  return isLong ? tooLong(issue.message, EMAIL_MAX_LENGTH) : issue;
}

const URL_MAX_LENGTH = 2000;

/** An absolute http or https URL without a user or a fragment. It stays as given. */
export const WebUrl = (): PropertyDecorator =>
  rule("url", (value) => {
    if (value === "") return empty;
    const issue = textIssue(value, URL_MAX_LENGTH);
    if (issue) return issue;
    const text = String(value);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
    if (!url || !isWeb) return invalid("must be an http or https URL");
    if (url.username !== "" || url.password !== "") return invalid("must not have a user");
    return text.includes("#") ? invalid("must not have a fragment") : undefined;
  });
