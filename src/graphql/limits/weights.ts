/**
 * The weights of the parts of an answer: about their bytes as JSON, if texts have a typical length, plus the
 * work of resolving each key. docs/graphql.md explains them.
 */

/** A key without its name and value: the work of resolving it, its quotes, colon and comma. */
const KEY = 20;

/** An object's or a list's brackets and comma. */
export const BRACKETS = 3;

/** A fragment spread, without the content of the fragment. */
export const SPREAD = 8;

/** A text whose length is not known otherwise, such as a name. */
const TEXT = 40;

const typicalLengths: Readonly<Record<string, number>> = {
  Boolean: 5,
  DateTime: 26,
  Decimal: 10,
  Int: 8,
};

/** The weight of a key, without its value. */
export const keyWeight = (responseName: string): number => KEY + responseName.length;

/** The weight of a scalar or enum value, by the name of its type. */
export const leafWeight = (typeName: string): number => typicalLengths[typeName] ?? TEXT;
