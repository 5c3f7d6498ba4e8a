import { Arg, Int, type ClassType } from "type-graphql";

/** The id of the one thing that is meant, such as a "product". */
export const IdArg = (noun: string) => Arg("id", () => Int, { description: `The ${noun}'s id.` });

/** The input of a mutation; the type of the parameter is its input class. */
export const InputArg = (description: string) => Arg("input", { description });

// TypeScript emits no class for a parameter that may be null, so these two are given it.

/** Conditions on the entries of a list, such as "products"; null where the client sets none. */
export const FilterArg = (Filter: ClassType, entries: string) =>
  Arg("filter", () => Filter, { nullable: true, description: `Which ${entries}.` });

/** The order of a list; null where the client leaves it to the list. */
export const SortArg = (Sort: ClassType) =>
  Arg("sort", () => Sort, { nullable: true, description: "In which order." });
