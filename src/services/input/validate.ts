import { getMetadataStorage, validateSync } from "class-validator";
import { invalidInput } from "../../vocabulary/errors";
import { invalid, type Issue } from "../../vocabulary/reasons";
import { conversionOf, elementClassOf, Issues, issuesOf, type InputClass } from "./rules";

/** An input class with rules that span several fields. */
export interface CrossChecked {
  /** The issues, each with the path of its field, relative to this input. The message follows the path. */
  crossIssues(): readonly (readonly [field: string, issue: Issue])[];
}

/** Maximum number of messages in one answer, so that a hostile body does not get an even larger answer. */
const MAX_MESSAGES = 500;

/**
 * Validates `value`, for both REST and GraphQL. Returns an instance of the input class whose fields have
 * their documented types; a value that is an instance already is converted in place.
 *
 * Unknown properties are refused, whatever their name (contract 1.1). Only documented fields are visited,
 * so the input classes bound the depth of the work.
 *
 * @throws DomainError INVALID_INPUT with all messages; a nested one has its path (`items.0.quantity …`)
 */
export function validate<T extends object>(Input: InputClass<T>, value: object): T {
  const issues = new Issues();
  const input = read(Input, value, issues);
  if (issues.all.length > 0) throw invalidInput(issues.all.slice(0, MAX_MESSAGES));
  return input;
}

/** Whether a class is an input class, that is, has validation rules. */
export const hasRules = (Input: unknown): Input is InputClass =>
  typeof Input === "function" && fieldsOf(Input as InputClass).size > 0;

function read<T extends object>(Input: InputClass<T>, value: object, issues: Issues): T {
  const input = convert(Input, value, issues);
  const faulty = brokenFields(input, issues);
  for (const field of fieldsOf(Input)) {
    if (!faulty.has(field)) readElements(Input, input, field, issues);
  }
  if (isCrossChecked(input)) {
    for (const [field, issue] of input.crossIssues()) issues.add(field, issue);
  }
  return input;
}

/** An instance with the converted values of the documented fields; any other property is refused. */
function convert<T extends object>(Input: InputClass<T>, value: object, issues: Issues): T {
  const input = value instanceof Input ? value : new Input();
  const fields = fieldsOf(Input);
  for (const [key, given] of Object.entries(value)) {
    if (fields.has(key)) {
      Reflect.set(input, key, conversionOf(Input, key)(given));
    } else issues.add(key, invalid("should not exist"), `property ${key}`);
  }
  return input;
}

/** Checks the rules of all fields and returns the fields that break one. */
function brokenFields(input: object, issues: Issues): ReadonlySet<string> {
  const errors = validateSync(input);
  for (const error of errors) {
    for (const issue of issuesOf(error)) issues.add(error.property, issue);
  }
  return new Set(errors.map(({ property }) => property));
}

/** Reads the elements of a field if it is a list of inputs and its value is an array. */
function readElements(Input: InputClass, input: object, field: string, issues: Issues): void {
  const Element = elementClassOf(Input, field);
  const elements: unknown = Reflect.get(input, field);
  if (!Element || !Array.isArray(elements)) return;
  const readElement = (element: unknown, index: number): unknown => {
    const path = `${field}.${index}`;
    if (isObject(element)) return read(Element, element, issues.in(path));
    issues.add(path, invalid("must be an object"));
    return element;
  };
  Reflect.set(input, field, elements.map(readElement));
}

const isCrossChecked = (input: object): input is CrossChecked => "crossIssues" in input;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsByClass = new Map<InputClass, ReadonlySet<string>>();

/** The documented fields are those with a validation rule. */
function fieldsOf(Input: InputClass): ReadonlySet<string> {
  let fields = fieldsByClass.get(Input);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(Input, "", false, false);
    fields = new Set(rules.map((rule) => rule.propertyName));
    fieldsByClass.set(Input, fields);
  }
  return fields;
}
