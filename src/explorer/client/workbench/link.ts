import { isObject } from "../objects";
import type { Prepared } from "../operations/prepared";
import type { Variables } from "../service";
import { nameOf } from "./tabs";

/** The most characters of a link after its `#`. */
const LENGTH_MAX = 8192;
const NAME_MAX = 60;

/** The most levels of a link's variables: each level indents the text in the editor. */
const DEPTH_MAX = 16;

/** A prepared operation, and variables that replace its first ones, if the link has any. */
export interface Linked {
  readonly operation: Prepared;
  readonly variables: Variables | undefined;
}

/** The address that opens an operation with these variables. */
export function linkTo(operation: Prepared, variables: Variables, page: string): string {
  const asked = { operation: nameOf(operation), variables: JSON.stringify(variables) };
  return `${page}#${new URLSearchParams(asked).toString()}`;
}

/**
 * The operation and the variables that a link names after its `#`. A link can only name a prepared operation, never
 * bring a document of its own: so nobody can make an administrator open a document that somebody else has written.
 *
 * @returns undefined if the address is not a link to an operation
 * @throws Error whose message says what is wrong with the link
 */
export function linkedBy(hash: string, operations: readonly Prepared[]): Linked | undefined {
  if (!/^#?operation=/.test(hash)) return undefined;
  if (hash.length > LENGTH_MAX) throw new Error("The link is too long");
  const asked = new URLSearchParams(hash.replace("#", ""));
  const name = asked.get("operation") ?? "";
  const operation =
    operations.find((each) => nameOf(each) === name) ??
    operations.find(({ label }) => label.toLowerCase() === name.toLowerCase());
  if (!operation) throw new Error(`There is no operation ${shortened(name)}`);
  return { operation, variables: variablesIn(asked.get("variables")) };
}

function variablesIn(text: string | null): Variables | undefined {
  if (text === null) return undefined;
  const value = valueOf(text);
  if (!isObject(value)) throw new Error("The variables of the link are not a JSON object");
  if (!isWithin(value, DEPTH_MAX)) throw new Error("The variables of the link are nested too deep");
  return value;
}

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1)));

function valueOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const shortened = (name: string): string =>
  name.length > NAME_MAX ? `${name.slice(0, NAME_MAX)}…` : name;
