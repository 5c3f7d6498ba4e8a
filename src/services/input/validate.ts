import { getMetadataStorage, validateSync } from "class-validator";
import { invalidInput } from "../../errors";
import { numeralAt } from "../../exact-json";
import { Faults } from "./faults";
import { conversionOf, elementClassOf, type InputClass } from "./rules";

/** Rules that an input class adds across its fields: messages with the path from that input, none if all is well. */
export interface CrossChecked {
  crossFaults(): string[];
}

/** Most messages of one refusal: a hostile body gets no answer larger than itself. */
const MAX_MESSAGES = 500;

/**
 * The one validator of both doors. Judges `value` against the input class and returns it as an
 * instance with every field converted to its documented type; an instance is converted in place.
 *
 * Properties outside the documented shape are refused, whatever their name (contract 1.1), and
 * nothing but documented fields is ever descended into, so depth and size are bounded by the classes.
 *
 * @throws DomainError INVALID_INPUT with all messages, nested ones with their path (`items.0.quantity …`)
 */
export function validate<T extends object>(Input: InputClass<T>, value: object): T {
  const faults = new Faults();
  const input = read(Input, value, faults);
  const { messages } = faults;
  if (messages.length > 0) throw invalidInput(messages.slice(0, MAX_MESSAGES));
  return input;
}

/** Whether a class is one of the input classes. */
export const hasRules = (Input: unknown): Input is InputClass =>
  typeof Input === "function" && fieldsOf(Input as InputClass).size > 0;

function read<T extends object>(Input: InputClass<T>, value: object, faults: Faults): T {
  const input = convert(Input, value, faults);
  const faulty = judge(input, faults);
  for (const field of fieldsOf(Input)) {
    if (!faulty.has(field)) readElements(Input, input, field, faults);
  }
  if (isCrossChecked(input)) for (const message of input.crossFaults()) faults.add(message);
  return input;
}

/** An instance with the converted values of the documented fields; other properties are faults. */
function convert<T extends object>(Input: InputClass<T>, value: object, faults: Faults): T {
  const input = value instanceof Input ? value : new Input();
  const fields = fieldsOf(Input);
  for (const [key, given] of Object.entries(value)) {
    if (fields.has(key)) {
      Reflect.set(input, key, conversionOf(Input, key)(given, numeralAt(value, key)));
    } else faults.add(`property ${key} should not exist`);
  }
  return input;
}

/** Holds the rules of its fields against an input; returns the fields that break one. */
function judge(input: object, faults: Faults): ReadonlySet<string> {
  const errors = validateSync(input);
  for (const { constraints = {} } of errors) {
    for (const message of Object.values(constraints)) faults.add(message);
  }
  return new Set(errors.map(({ property }) => property));
}

/** Reads the elements of a list, where the field is one and holds one. */
function readElements(Input: InputClass, input: object, field: string, faults: Faults): void {
  const Element = elementClassOf(Input, field);
  const elements: unknown = Reflect.get(input, field);
  if (!Element || !Array.isArray(elements)) return;
  const readElement = (element: unknown, index: number): unknown => {
    const place = `${field}.${index}`;
    if (isObject(element)) return read(Element, element, faults.in(place));
    faults.add(`${place} must be an object`);
    return element;
  };
  Reflect.set(input, field, elements.map(readElement));
}

const isCrossChecked = (input: object): input is CrossChecked => "crossFaults" in input;

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsByClass = new Map<InputClass, ReadonlySet<string>>();

/** The documented fields: those that carry a rule. */
function fieldsOf(Input: InputClass): ReadonlySet<string> {
  let fields = fieldsByClass.get(Input);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(Input, "", false, false);
    fields = new Set(rules.map((rule) => rule.propertyName));
    fieldsByClass.set(Input, fields);
  }
  return fields;
}
