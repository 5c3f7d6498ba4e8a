import { getMetadataStorage, validateSync } from "class-validator";
import { invalidInput } from "../../errors";
import { numeralAt } from "../../exact-json";
import { conversionOf, elementClassOf } from "./fields";

/** Rules that an input class adds across its fields: messages with the path from that input, none if all is well. */
export interface CrossChecked {
  crossFaults(): string[];
}

type InputClass<T extends object = object> = new () => T;

/** Most messages of one refusal: a hostile body gets no answer larger than itself. */
const MAX_MESSAGES = 500;

/**
 * The one validator of both doors. Judges `value` against the input class and returns it as an
 * instance with every field converted to its documented type; an instance is converted in place.
 *
 * Properties outside the documented shape are refused, whatever their name (spec.md section 1), and
 * nothing but documented fields is ever descended into, so depth and size are bounded by the classes.
 *
 * @throws DomainError INVALID_INPUT with all messages, nested ones with their path (`items.0.quantity …`)
 */
export function validate<T extends object>(Input: InputClass<T>, value: object): T {
  const faults: string[] = [];
  const input = read(Input, value, "", faults);
  if (faults.length > 0) throw invalidInput(faults.slice(0, MAX_MESSAGES));
  return input;
}

function read<T extends object>(
  Input: InputClass<T>,
  value: object,
  path: string,
  faults: string[],
): T {
  const input = value instanceof Input ? value : new Input();
  const fields = fieldsOf(Input);
  for (const [key, given] of Object.entries(value)) {
    if (fields.has(key)) {
      Reflect.set(input, key, conversionOf(Input, key)(given, numeralAt(value, key)));
    } else faults.push(`${path}property ${key} should not exist`);
  }
  const faulty = new Set<string>();
  for (const { property, constraints = {} } of validateSync(input)) {
    faulty.add(property);
    faults.push(...Object.values(constraints).map((message) => path + message));
  }
  for (const key of fields) {
    const Element = elementClassOf(Input, key);
    const elements: unknown = Reflect.get(input, key);
    if (!Element || faulty.has(key) || !Array.isArray(elements)) continue;
    const readElement = (element: unknown, index: number): unknown => {
      const place = `${path}${key}.${index}`;
      if (isObject(element)) return read(Element, element, `${place}.`, faults);
      faults.push(`${place} must be an object`);
      return element;
    };
    Reflect.set(input, key, elements.map(readElement));
  }
  if ("crossFaults" in input) {
    faults.push(...(input as CrossChecked).crossFaults().map((message) => path + message));
  }
  return input;
}

/** Whether a class is one of the input classes. */
export const hasRules = (Input: unknown): Input is InputClass =>
  typeof Input === "function" && fieldsOf(Input as InputClass).size > 0;

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
