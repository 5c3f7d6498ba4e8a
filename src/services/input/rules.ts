import { ValidateBy, ValidateIf, type ValidationError } from "class-validator";
import type { Fault } from "../../vocabulary/reasons";

/** Converts a value. `numeral` is the original text of a number that a double may not hold exactly. */
export type Conversion = (value: unknown, numeral?: string) => unknown;

export type InputClass<T extends object = object> = new () => T;

/** Keywords of JSON Schema (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Who takes an input from a client. */
export type Door = "REST" | "GraphQL";

/** What is documented of a field. */
export interface FieldForm {
  /** What clients should send. Values that are trimmed or repaired are accepted beyond it. */
  readonly schema: JsonSchema;
  readonly isOptional: boolean;
  /** Whether REST, whose contract is frozen, has no such field. */
  readonly isGraphqlOnly: boolean;
}

const conversions = new Map<unknown, Map<string, Conversion>>();
const elementClasses = new Map<unknown, Map<string, () => InputClass>>();
const forms = new Map<unknown, Map<string, Partial<FieldForm>>>();

/** The conversion of a field's value before validation; a field without one keeps its value. */
export const conversionOf = (Input: unknown, field: string): Conversion =>
  conversions.get(Input)?.get(field) ?? ((value) => value);

/** The input class of the elements of a list field; undefined for every other field. */
export const elementClassOf = (Input: unknown, field: string): InputClass | undefined =>
  elementClasses.get(Input)?.get(field)?.();

/** What is documented of the fields of an input class, in their order. */
export const formsOf = (Input: unknown): [field: string, form: FieldForm][] =>
  [...(forms.get(Input) ?? [])].map(([field, form]) => [
    field,
    { schema: {}, isOptional: false, isGraphqlOnly: false, ...form },
  ]);

/** Whether a door has a field of an input class. */
export const hasField = (door: Door, Input: unknown, field: string): boolean =>
  door === "GraphQL" || forms.get(Input)?.get(field)?.isGraphqlOnly !== true;

/** Documents the values of a field. */
export const Documented = (schema: JsonSchema): PropertyDecorator => addForm({ schema });

/** Converts a field before validation. Of several such decorators on a field, the last one runs first. */
export const Converted =
  (convert: Conversion): PropertyDecorator =>
  (target, field) => {
    const before = conversionOf(target.constructor, String(field));
    const both: Conversion = (value, numeral) => convert(before(value, numeral), numeral);
    remember(conversions, both)(target, field);
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

const addForm =
  (form: Partial<FieldForm>): PropertyDecorator =>
  (target, field) => {
    const before = forms.get(target.constructor)?.get(String(field));
    remember(forms, { ...before, ...form })(target, field);
  };

/** Combines several decorators. */
export const all =
  (...decorators: PropertyDecorator[]): PropertyDecorator =>
  (target, field) => {
    for (const decorate of decorators) decorate(target, field);
  };

/**
 * A validation rule of a field. `faultOf` returns what is wrong, with the end of a message that begins with the
 * field's name; undefined if the value is valid.
 */
export const rule = (
  name: string,
  faultOf: (value: unknown) => Fault | undefined,
): PropertyDecorator => {
  const validate = (value: unknown): boolean => faultOf(value) === undefined;
  const defaultMessage = (): string => name; // class-validator has no context for a rule without a message
  return ValidateBy({ name, validator: { validate, defaultMessage } }, { context: { faultOf } });
};

/** What the rules of a field found, in their order. A rule that finds no value at all misses one. */
export function faultsOf({ value, contexts = {} }: ValidationError): Fault[] {
  const broken = Object.values(contexts) as { faultOf: (value: unknown) => Fault | undefined }[];
  return broken.flatMap(({ faultOf }) => {
    const fault = faultOf(value);
    if (fault === undefined) return [];
    const isMissing = value === undefined || value === null;
    return [isMissing ? { ...fault, reason: { code: "REQUIRED" } } : fault];
  });
}

/** The field may be left out, but it may not be `null`. */
export const Optional = (): PropertyDecorator =>
  all(
    ValidateIf((_input, value) => value !== undefined),
    addForm({ isOptional: true }),
  );

/** The field of a filter may be left out or `null`; both mean that there is no condition. */
export const OptionalOrNull = (): PropertyDecorator =>
  all(
    Converted((value) => value ?? undefined),
    Optional(),
  );

/** The field may be left out, which changes nothing, or `null`, which clears it. */
export const Clearable = (): PropertyDecorator =>
  all(
    ValidateIf((_input, value) => value !== undefined && value !== null),
    addForm({ isOptional: true }),
  );

/** REST refuses the field as one that does not exist. */
export const GraphqlOnly = (): PropertyDecorator => addForm({ isGraphqlOnly: true });
