import { Arg, Int, type ClassType } from "type-graphql";

/** The id of one thing; `noun` names the thing, such as "product". */
export const IdArg = (noun: string) => Arg("id", () => Int, { description: `The ${noun}'s id.` });

/** The input of a mutation. The type of the parameter is the input class. */
export const InputArg = (description: string) => Arg("input", { description });

// TypeScript emits no class for a parameter that may be null, so the next two decorators take the class.

/** Conditions on a list of `entries`, such as "products"; null if the client sets none. */
export const FilterArg = (Filter: ClassType, entries: string) =>
  Arg("filter", () => Filter, { nullable: true, description: `Which ${entries}.` });

/** The order of a list; null if the client does not choose one. */
export const SortArg = (Sort: ClassType) =>
  Arg("sort", () => Sort, { nullable: true, description: "In which order." });
