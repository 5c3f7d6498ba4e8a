import { ValidateBy, ValidateIf } from "class-validator";

/** Converts a value; `numeral` is the text of a number that has more digits than the value may hold. */
export type Conversion = (value: unknown, numeral?: string) => unknown;

/** The class of an input. */
export type InputClass<T extends object = object> = new () => T;

const conversions = new Map<unknown, Map<string, Conversion>>();
const elementClasses = new Map<unknown, Map<string, () => InputClass>>();

/** The conversion of a field's value before it is judged; without one the value stays as it is. */
export const conversionOf = (Input: unknown, field: string): Conversion =>
  conversions.get(Input)?.get(field) ?? ((value) => value);

/** The input class of the elements of a list field; undefined for every other field. */
export const elementClassOf = (Input: unknown, field: string): InputClass | undefined =>
  elementClasses.get(Input)?.get(field)?.();

/** Converts a field before it is judged. Of several conversions the one written last comes first. */
export const Converted =
  (convert: Conversion): PropertyDecorator =>
  (target, field) => {
    const before = conversionOf(target.constructor, String(field));
    const both: Conversion = (value, numeral) => convert(before(value, numeral), numeral);
    remember(conversions, both)(target, field);
  };

/** Says that the elements of a list are inputs of a class of their own. */
export const Elements = (Element: () => InputClass): PropertyDecorator =>
  remember(elementClasses, Element);

function remember<T>(registry: Map<unknown, Map<string, T>>, entry: T): PropertyDecorator {
  return ({ constructor }, field) => {
    const fields = registry.get(constructor) ?? new Map<string, T>();
    registry.set(constructor, fields.set(String(field), entry));
  };
}

/** Several decorators as one. */
export const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, field) => {
    for (const decorate of decorators) decorate(target, field);
  };

/**
 * A rule of a field. `faultOf` says what is wrong with a value, as the end of a sentence that starts with
 * the field's name; undefined if nothing is.
 */
export const rule = (
  name: string,
  faultOf: (value: unknown) => string | undefined,
): PropertyDecorator =>
  ValidateBy({
    name,
    validator: {
      validate: (value) => faultOf(value) === undefined,
      defaultMessage: (args) => `${args?.property} ${faultOf(args?.value)}`,
    },
  });

/** The field may be left out; `null` is no way of doing so. */
export const Optional = (): PropertyDecorator => ValidateIf((_input, value) => value !== undefined);

/** The field of a filter may be left out or `null`: both mean no condition. */
export const Unfiltered = (): PropertyDecorator =>
  all(
    Converted((value) => value ?? undefined),
    Optional(),
  );
