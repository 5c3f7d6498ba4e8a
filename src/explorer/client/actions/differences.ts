import { cut } from "../answers/format";
import { isSame } from "../inputs/values";
import { isObject, valueOf } from "../objects";
import type { Values } from "../operations/row-operation";

/** A field whose value was changed by somebody else, or is to be changed. A value that is not known is undefined. */
export interface Difference {
  readonly field: string;
  readonly seen: unknown;
  readonly now: unknown;
  /** Undefined also if the field is not to be changed. */
  readonly wanted: unknown;
}

/** Fields that differ after every change, or never. */
const APART = ["id", "version", "createdAt", "updatedAt"];

interface States {
  /** The values that the administrator has seen, which may be only some. */
  readonly seen: Values;
  readonly now: Values;
  /** The values that the administrator wants to set. */
  readonly wanted?: Values;
}

/**
 * The fields in which these states of an object differ. If what was seen has not changed, something else has: then also
 * the fields that were not seen. Long texts come last.
 */
export function differencesOf({ seen, now, wanted = {} }: States): readonly Difference[] {
  const all = Object.keys(now)
    .filter((field) => !APART.includes(field) && !isObject(now[field]))
    .map((field) => {
      const was = valueOf(seen, field);
      return { field, seen: was, now: now[field], wanted: valueOf(wanted, field) };
    });
  const hasChanged = (each: Difference) => each.seen !== undefined && !isSame(each.seen, each.now);
  const isToChange = (each: Difference) =>
    each.wanted !== undefined && !isSame(each.wanted, each.now);
  const isSeen = all.some(hasChanged);
  return all
    .filter((each) => hasChanged(each) || isToChange(each) || (!isSeen && each.seen === undefined))
    .toSorted((one, other) => Number(isLong(one)) - Number(isLong(other)));
}

/** Whether a value is so long that fields below it may be overlooked. */
const isLong = ({ seen, now, wanted }: Difference): boolean =>
  [seen, now, wanted].some((value) => typeof value === "string" && cut(value) !== undefined);
