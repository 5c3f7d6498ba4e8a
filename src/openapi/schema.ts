import type { JsonSchema } from "../services/input/rules";

declare const valueType: unique symbol;

/**
 * A JSON Schema (draft 2020-12) whose values are of type T. T exists for the compiler alone: a schema that
 * differs from what a presenter returns does not compile.
 */
export type Schema<T> = JsonSchema & { readonly [valueType]?: (value: T) => T };

/** An object with exactly these properties. */
export const object = <T extends object>(
  properties: { readonly [Key in keyof T]-?: Schema<T[Key]> },
  more: JsonSchema = {},
): Schema<T> => ({
  type: "object",
  ...more,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const list = <T>(items: Schema<T>, more: JsonSchema = {}): Schema<T[]> => ({
  type: "array",
  ...more,
  items,
});

export const text = (description: string, more: JsonSchema = {}): Schema<string> => ({
  type: "string",
  description,
  ...more,
});

export const integer = (description: string, least: number): Schema<number> => ({
  type: "integer",
  description,
  minimum: least,
});

export const flag = (description: string): Schema<boolean> => ({ type: "boolean", description });

/** A text that is one of `values`. */
export const oneOf = <T extends string>(description: string, values: readonly T[]): Schema<T> => ({
  type: "string",
  description,
  enum: values,
});

/** An amount of money (contract 2.decimals). */
export const decimal = (description: string): Schema<string> =>
  text(description, { pattern: "^(0|[1-9][0-9]{0,7})\\.[0-9]{2}$" });

/** A moment in UTC, with milliseconds (contract 2.timestamps). */
export const timestamp = (description: string): Schema<string> =>
  text(description, {
    format: "date-time",
    pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$",
  });
