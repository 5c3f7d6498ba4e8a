import type { AnswerTable, Row } from "../answers/answer-table";
import { valueOf } from "../objects";
import type { RowOperation, Values } from "../operations/row-operation";

/** The values of the object's own fields in a row, by field. */
export function valuesOf({ columns }: Pick<AnswerTable, "columns">, row: Row): Values {
  const own = columns.filter(({ path, fields }) => path.length === 1 && fields.length === 1);
  return Object.fromEntries(
    own.map(({ path, fields }) => [fields[0], valueOf(row, path[0] ?? "")]),
  ) as Values;
}

/** Whether the operation can run on an object with these values. */
export function applies({ fields, when }: RowOperation, values: Values): boolean {
  const isKnown = (field: string) => values[field] !== undefined && values[field] !== null;
  return fields.every(isKnown) && (when?.(values) ?? true);
}

/** The key of an object, unique in the shop; undefined if the row does not show the id. */
export function keyOf(typeName: string, { id }: Values): string | undefined {
  return typeof id === "number" || typeof id === "string" ? `${typeName} ${id}` : undefined;
}
