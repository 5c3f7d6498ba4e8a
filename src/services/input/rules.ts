import { invalid, outOfRange, tooLong, type Issue } from "../../vocabulary/reasons";
import { Money } from "../../vocabulary/money";
import { codePoints, isStorable } from "../../vocabulary/text/unicode";
import { ValidateBy, ValidateIf, type ValidationError } from "class-validator";

/** Collects what is wrong with an input. Each message begins with the path of its value. */
export class Issues {
  constructor(
    readonly all: Issue[] = [],
    private readonly path = "",
  ) {}

  /** Adds an issue of a field, such as `items.0.productId`; its message begins with `subject`. */
  add(field: string, { message, reason }: Issue, subject = field): void {
    this.all.push({
      message: `${this.path}${subject} ${message}`,
      reason: { ...reason, path: this.path + field },
    });
  }

  /** A collector that adds the issues of the input at `path`, such as `items.0`, to this one. */
  in(path: string): Issues {
    return new Issues(this.all, `${this.path}${path}.`);
  }
}

/** A required text is missing or empty. */
export const empty: Issue = { message: "should not be empty", reason: { code: "REQUIRED" } };

/** The issue of a value that must be a text of `least` to `most` code points. */
export const textIssue = (value: unknown, most: number, least = 0): Issue | undefined => {
  if (typeof value !== "string") return invalid("must be a string");
  if (!isStorable(value)) return invalid("must be well-formed Unicode without NUL");
  const length = codePoints(value);
  if (length > most) return longerThan(most);
  if (length >= least) return undefined;
  const bounds = { min: least, max: most };
  return outOfRange(`must be longer than or equal to ${least} characters`, bounds);
};

export const longerThan = (most: number): Issue =>
  tooLong(`must be shorter than or equal to ${most} characters`, most);

/** The issue of a value that must be a list of `least` to `most` elements. */
export function listIssue(value: unknown, least: number, most: number): Issue | undefined {
  if (!Array.isArray(value)) return invalid("must be an array");
  const bounds = { min: least, max: most };
  if (value.length < least) return outOfRange(`must contain at least ${least} elements`, bounds);
  if (value.length > most) return outOfRange(`must contain no more than ${most} elements`, bounds);
  return undefined;
}

/** The issue of an amount, after its conversion. */
export function priceIssue(value: unknown): Issue | undefined {
  if (value instanceof Money) return undefined;
  const [min, max] = [Money.ZERO.toString(), Money.MAX.toString()];
  const message = `must be a decimal from ${min} to ${max} with at most 2 decimal places`;
  const number = typeof value === "string" ? Number(value) : value;
  const isBeyond = typeof number === "number" && (number < 0 || number > Number(max));
  return isBeyond ? outOfRange(message, { min, max }) : invalid(message);
}

export type Conversion = (value: unknown) => unknown;

export type InputClass<T extends object = object> = new () => T;

const conversions = new Map<unknown, Map<string, Conversion>>();
const elementClasses = new Map<unknown, Map<string, () => InputClass>>();

/** The conversion of a field's value before validation; a field without one keeps its value. */
export const conversionOf = (Input: unknown, field: string): Conversion =>
  conversions.get(Input)?.get(field) ?? ((value) => value);

/** The input class of the elements of a list field; undefined for every other field. */
export const elementClassOf = (Input: unknown, field: string): InputClass | undefined =>
  elementClasses.get(Input)?.get(field)?.();

/** Converts a field before validation. Of several such decorators on a field, the last one runs first. */
export const Converted =
  (convert: Conversion): PropertyDecorator =>
  (target, field) => {
    const before = conversionOf(target.constructor, String(field));
    remember(conversions, (value) => convert(before(value)))(target, field);
  };

/** Declares that the elements of a list are inputs of the class `Element`. */
export const Elements = (Element: () => InputClass): PropertyDecorator =>
  remember(elementClasses, Element);

function remember<T>(registry: Map<unknown, Map<string, T>>, entry: T): PropertyDecorator {
  return ({ constructor }, field) => {
    const fields = registry.get(constructor) ?? new Map<string, T>();
    registry.set(constructor, fields.set(String(field), entry));
  };
}

export const composeDecorators =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, field) => {
    for (const decorate of decorators) decorate(target, field);
  };

/**
 * A validation rule of a field. `issueOf` returns what is wrong, with the end of a message that begins with the
 * field's name; undefined if the value is valid. `convert` is applied first.
 */
export const rule = (
  name: string,
  issueOf: (value: unknown) => Issue | undefined,
  convert?: Conversion,
): PropertyDecorator => {
  const validate = (value: unknown): boolean => issueOf(value) === undefined;
  const defaultMessage = (): string => name; // class-validator has no context for a rule without a message
  const judged = ValidateBy(
    { name, validator: { validate, defaultMessage } },
    { context: { issueOf } },
  );
  return convert ? composeDecorators(Converted(convert), judged) : judged;
};

/** A rule that a value must pass a test: `must …` is its message. */
export const must = (
  name: string,
  message: string,
  test: (value: unknown) => boolean,
  convert?: Conversion,
): PropertyDecorator =>
  rule(name, (value) => (test(value) ? undefined : invalid(`must ${message}`)), convert);

/** What the rules of a field have found, in their order. If there is no value at all, the reason is REQUIRED. */
export function issuesOf({ value, contexts = {} }: ValidationError): Issue[] {
  const broken = Object.values(contexts) as { issueOf: (value: unknown) => Issue | undefined }[];
  return broken.flatMap(({ issueOf }) => {
    const issue = issueOf(value);
    if (issue === undefined) return [];
    const isMissing = value === undefined || value === null;
    return [isMissing ? { ...issue, reason: { code: "REQUIRED" } } : issue];
  });
}

/** The field may be left out, but it may not be `null`. */
export const Optional = (): PropertyDecorator => ValidateIf((_input, value) => value !== undefined);

/** The field of a filter may be left out or `null`; both mean that there is no condition. */
export const OptionalOrNull = (): PropertyDecorator =>
  composeDecorators(
    Converted((value) => value ?? undefined),
    Optional(),
  );
