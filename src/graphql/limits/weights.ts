/**
 * What parts of an answer weigh: about their bytes as JSON, texts at a typical length, and for each key
 * what it costs to resolve. docs/graphql.md explains them.
 */

/** The work on a key and its quotes, colon and comma, beside its name and value. */
const KEY = 20;

/** An object's or a list's brackets and comma. */
export const BRACKETS = 3;

/** A fragment that is spread, beside what is in it. */
export const SPREAD = 8;

/** A text of no other known length, such as a name. */
const TEXT = 40;

const typicalLengths: Readonly<Record<string, number>> = {
  Boolean: 5,
  DateTime: 26,
  Decimal: 10,
  Int: 8,
};

/** The weight of a key, without its value. */
export const keyWeight = (responseName: string): number => KEY + responseName.length;

/** The weight of a value that is no object, by the name of its type. */
export const leafWeight = (typeName: string): number => typicalLengths[typeName] ?? TEXT;
