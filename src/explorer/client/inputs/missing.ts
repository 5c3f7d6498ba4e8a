import { isInputObjectType, isListType } from "graphql";
import { valueOf } from "../objects";
import type { Variables } from "../service";
import { elementOf, fieldsOfInput, type Field } from "./fields";
import type { Path } from "./values";

/** The paths of all fields that must be filled in and are not. */
export const missingIn = (fields: readonly Field[], variables: Variables): readonly Path[] =>
  fields.flatMap((field) => missingAt(field, valueOf(variables, field.name), [field.name]));

function missingAt(field: Field, value: unknown, path: Path): readonly Path[] {
  if (value === undefined || value === null) return field.isRequired ? [path] : [];
  if (isInputObjectType(field.type)) {
    return fieldsOfInput(field.type).flatMap((inner) =>
      missingAt(inner, valueOf(value, inner.name), [...path, inner.name]),
    );
  }
  if (!isListType(field.type) || !Array.isArray(value)) return [];
  return value.flatMap((each, index) => missingAt(elementOf(field, index), each, [...path, index]));
}
