import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  type GraphQLEnumType,
  type GraphQLInputType,
} from "graphql";
import { isObject } from "../objects";
import type { Changes } from "./changes";
import type { TypedColumn } from "./columns";
import { pagingOf } from "./paging";
import type { SourcedTable } from "./sourced-table";
import { constantOf } from "./words";

/** How a list is sorted. It can be sorted if an argument for that is bound to a variable. */
export interface Sorting {
  readonly variable: string;
  /** The names of the input's two fields. */
  readonly by: string;
  readonly direction: string;
  /** The values of `by`. */
  readonly values: ReadonlySet<string>;
  /** The present values of the two fields, as far as they are known. */
  readonly current: { readonly by: unknown; readonly direction: unknown };
}

export type Order = "ascending" | "descending" | "none";

/** The sorting of a table's list; undefined if the operation has no variable for it. */
export function sortingOf({ given }: SourcedTable): Sorting | undefined {
  for (const { type, variable, value } of given.values()) {
    const fields = variable === undefined ? undefined : sortFieldsOf(type);
    if (variable === undefined || !fields) continue;
    const { by, direction } = fields;
    const given = isObject(value) ? value : undefined;
    const chosen = (field: SortField) => given && (given[field.name] ?? field.defaultValue);
    return {
      variable,
      by: by.name,
      direction: direction.name,
      values: new Set(by.type.getValues().map(({ name }) => name)),
      current: { by: chosen(by), direction: chosen(direction) },
    };
  }
  return undefined;
}

/** How a column is sorted; undefined if the list can't be sorted by it. */
export function orderOf(sorting: Sorting | undefined, column: TypedColumn): Order | undefined {
  const value = valueOf(sorting, column);
  if (!sorting || value === undefined) return undefined;
  const { by, direction } = sorting.current;
  if (by !== value) return "none";
  return direction === "DESC" ? "descending" : "ascending";
}

/** The changes that sort a list by a column. If it is sorted by that column already, they reverse the order. */
export function sortedBy(table: SourcedTable, sorting: Sorting, column: TypedColumn): Changes {
  const direction = orderOf(sorting, column) === "ascending" ? "DESC" : "ASC";
  return {
    ...pagingOf(table)?.first,
    [sorting.variable]: {
      [sorting.by]: valueOf(sorting, column),
      [sorting.direction]: direction,
    },
  };
}

function valueOf(sorting: Sorting | undefined, { fields }: TypedColumn): string | undefined {
  const [field, inner] = fields;
  if (field === undefined || inner !== undefined) return undefined;
  const value = constantOf(field);
  return sorting?.values.has(value) ? value : undefined;
}

interface SortField {
  readonly name: string;
  readonly type: GraphQLEnumType;
  readonly defaultValue: unknown;
}

/** The two fields of an input that sorts: by what, and in which direction; undefined for other inputs. */
function sortFieldsOf(type: GraphQLInputType) {
  const input = getNamedType(type);
  if (!isInputObjectType(input)) return undefined;
  const enums = Object.values(input.getFields()).flatMap(({ name, type, defaultValue }) => {
    const named = getNamedType(type);
    return isEnumType(named) ? [{ name, type: named, defaultValue }] : [];
  });
  const directions = enums.filter(isDirection);
  const others = enums.filter((each) => !isDirection(each));
  const [direction, by] = [directions[0], others[0]];
  if (!direction || !by || directions.length + others.length > 2) return undefined;
  return { direction, by };
}

const isDirection = ({ type }: SortField): boolean =>
  ["ASC", "DESC"].every((name) => type.getValue(name) !== undefined);
