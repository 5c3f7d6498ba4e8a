import { isObject, valueOf } from "../objects";
import { selectedFields, selectionsOf, type SelectedField, type Sources } from "./selected-fields";
import { getNamedType, isCompositeType } from "graphql";
import type { Position } from "./sourced-table";

/** The fields that tell a position, each as the member that it becomes. */
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

/** What stands beside a list of its position: in the page or connection itself, or in an object of it. */
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
