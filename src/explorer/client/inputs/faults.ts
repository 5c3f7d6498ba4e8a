import {
  getNullableType,
  isInputObjectType,
  isListType,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { plainly } from "../plain-words";
import { faultsOf, type Answer } from "../service";
import { inputType } from "./fields";
import { lowerFirst, upperFirst, words } from "./names";
import { usagesOf } from "./usages";
import { variableFault } from "./variable-fault";

/** The messages of an answer, by the fields of a form that they name. */
export interface AssignedFaults {
  /** By the path of the field, with dots between its parts: `input.items.0.quantity`. */
  readonly byField: ReadonlyMap<string, readonly string[]>;
  /** Messages that name no field. */
  readonly rest: readonly string[];
}

/** A variable, and a path by which messages may refer to it. */
interface Name {
  readonly path: readonly string[];
  readonly variable: string;
  readonly type: GraphQLInputType;
}

interface Assigned {
  readonly field: readonly string[];
  readonly text: string;
}

/**
 * Finds the fields that the messages of an answer name: by a path in an input object
 * (`items.0.quantity must …`), by the name of a variable or argument, or in the way in which graphql-js names
 * variables.
 *
 * @param hidden variables that the form does not ask for
 */
export function assignFaults(
  answer: Answer | undefined,
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  hidden: readonly string[] = [],
): AssignedFaults {
  const byField = new Map<string, string[]>();
  const rest: string[] = [];
  const messages = answer ? faultsOf(answer) : [];
  if (messages.length > 0) {
    const names = namesOf(schema, operation).filter(({ variable }) => !hidden.includes(variable));
    for (const message of messages) {
      const assigned = fromLanguage(message, names) ?? fromPath(message, names);
      if (!assigned) {
        rest.push(plainly(message));
        continue;
      }
      const key = assigned.field.join(".");
      const text = plainly(assigned.text);
      const told = byField.get(key) ?? [];
      if (!told.includes(text)) byField.set(key, [...told, text]);
    }
  }
  return { byField, rest };
}

/** The messages of an answer that name no field of the operation's form. */
export const faultsOfNoField = (...given: Parameters<typeof assignFaults>): readonly string[] =>
  assignFaults(...given).rest;

/** The names of all variables. An input object has an empty path: messages about its fields begin with their names. */
function namesOf(schema: GraphQLSchema, operation: OperationDefinitionNode): readonly Name[] {
  const usages = usagesOf(schema, operation);
  return (operation.variableDefinitions ?? []).flatMap((definition) => {
    const variable = definition.variable.name.value;
    const type = inputType(schema, definition.type);
    const used = usages.filter((usage) => usage.variable === variable).map(({ path }) => path);
    const paths = [[variable], ...used, ...used.map((path) => path.slice(1))];
    return paths.map((path) => ({ path, variable, type }));
  });
}

/** Assigns a message that begins with the name of its field, as a path or in words. */
function fromPath(message: string, names: readonly Name[]): Assigned | undefined {
  const [first = "", second = ""] = message.split(" ", 2);
  const exact = longest(first.split("."), names);
  if (exact) {
    const rest = message.slice(first.length + 1);
    return { field: exact.field, text: exact.isWhole ? upperFirst(rest) : message };
  }
  const asWords = [`${first} ${second}`, first].map((text) => lowerFirst(camelCase(text)));
  for (const name of asWords) {
    const found = longest([name], names);
    if (found && message.startsWith(words(name))) return { field: found.field, text: message };
  }
  return undefined;
}

const camelCase = (text: string): string =>
  text
    .split(" ")
    .map((word, index) => (index === 0 ? word : upperFirst(word)))
    .join("");

function fromLanguage(message: string, names: readonly Name[]): Assigned | undefined {
  const fault = variableFault(message);
  if (!fault) return undefined;
  const own = names.find(({ variable }) => variable === fault.variable);
  if (!own) return undefined;
  const depth = depthIn(own.type, fault.path);
  return { field: [own.variable, ...fault.path.slice(0, depth)], text: fault.text };
}

interface Found {
  readonly field: readonly string[];
  readonly length: number;
  /** Whether the whole path leads to the field, not only its beginning. */
  readonly isWhole: boolean;
}

/** The field to which the longest beginning of the path leads. */
function longest(path: readonly string[], names: readonly Name[]): Found | undefined {
  let best: Found | undefined;
  for (const name of names) {
    if (!name.path.every((part, index) => part === path[index])) continue;
    const below = path.slice(name.path.length);
    const depth = depthIn(name.type, below);
    const length = name.path.length + depth;
    if (length === 0 || length <= (best?.length ?? 0)) continue;
    const field = [name.variable, ...below.slice(0, depth)];
    best = { field, length, isWhole: depth === below.length };
  }
  return best;
}

/** How many parts of a path lead into a type. */
function depthIn(type: GraphQLInputType, path: readonly string[]): number {
  let inner: GraphQLInputType | undefined = getNullableType(type);
  for (const [depth, part] of path.entries()) {
    if (isListType(inner) && /^[0-9]+$/.test(part)) inner = inner.ofType;
    else if (isInputObjectType(inner)) inner = inner.getFields()[part]?.type;
    else return depth;
    if (!inner) return depth;
    inner = getNullableType(inner);
  }
  return path.length;
}
