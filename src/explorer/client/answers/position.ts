import { isObject, valueOf } from "../objects";
import { selectedFields, selectionsOf, type SelectedField, type Sources } from "./selected-fields";
import { getNamedType, isCompositeType } from "graphql";
import type { Position } from "./sourced-table";

/** The members of a position, by the fields that have their values. */
const MEMBERS: Readonly<Record<string, keyof Position>> = {
  total: "total",
  totalCount: "total",
  page: "page",
  pageSize: "pageSize",
  totalPages: "totalPages",
  hasNextPage: "hasNextPage",
  hasPreviousPage: "hasPreviousPage",
  startCursor: "startCursor",
  endCursor: "endCursor",
};

/** The position of a list, from the fields of its page or connection, or of an object in that. */
export function positionIn(
  sources: Sources,
  beside: readonly SelectedField[],
  container: unknown,
): Position {
  if (!isObject(container)) return {};
  return beside.reduce<Position>((position, field) => {
    const value = valueOf(container, field.key);
    const type = getNamedType(field.definition.type);
    if (!isObject(value)) return { ...position, ...memberOf(field, container) };
    if (!isCompositeType(type)) return position;
    const inner = selectedFields(sources, type, selectionsOf(field));
    return Object.assign({}, position, ...inner.map((each) => memberOf(each, value))) as Position;
  }, {});
}

function memberOf({ key, definition }: SelectedField, within: unknown): Position {
  const member = MEMBERS[definition.name];
  const value = valueOf(within, key);
  return member === undefined || value === null || value === undefined ? {} : { [member]: value };
}
