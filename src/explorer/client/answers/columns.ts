import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isListType,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from "graphql";
import type { Column } from "./answer-table";
import { selectedFields, selectionsOf, type SelectedField, type Sources } from "./selected-fields";
import { headingOf } from "./words";

/** How the values of a column are shown. */
export type Kind =
  "number" | "time" | "boolean" | "enum" | "text" | "list" | "object" | "changes" | "tries";

export interface TypedColumn extends Column {
  readonly kind: Kind;
}

const SCALARS: Readonly<Record<string, Kind>> = {
  Int: "number",
  Float: "number",
  Decimal: "number",
  DateTime: "time",
  Boolean: "boolean",
};

/** The lists of which a cell says in words what each entry is. */
const TOLD: Readonly<Record<string, Kind>> = { AuditChange: "changes", DeliveryTry: "tries" };

/**
 * The columns for the selected fields of a type, in the order of the selection. The fields of an object are columns
 * of their own; an object below that is one column.
 *
 * @param isLeftOut whether a field gets no column, because it is shown elsewhere
 */
export function columnsOf(
  sources: Sources,
  type: GraphQLCompositeType,
  sets: readonly SelectionSetNode[],
  isLeftOut: (field: SelectedField) => boolean = () => false,
): TypedColumn[] {
  const fields = selectedFields(sources, type, sets).filter((field) => !isLeftOut(field));
  return fields.flatMap((field) => {
    const named = getNamedType(field.definition.type);
    if (kindOf(field.definition.type) !== "object" || !isCompositeType(named)) return column(field);
    const inner = selectedFields(sources, named, selectionsOf(field));
    return inner.map((each) => column(field, each));
  });
}

/** The column of a field, or of a field in an object. */
export function column(field: SelectedField, inner?: SelectedField): TypedColumn {
  const fields = inner ? [field, inner] : [field];
  return {
    path: fields.map(({ key }) => key),
    fields: fields.map(({ definition }) => definition.name),
    kind: kindOf((inner ?? field).definition.type),
  };
}

/** The heading of a column. */
export const columnHeading = ({ path }: Column): string => headingOf(...path);

function kindOf(type: GraphQLOutputType): Kind {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return TOLD[getNamedType(nullable).name] ?? "list";
  if (isCompositeType(nullable)) return "object";
  if (isEnumType(nullable)) return "enum";
  return SCALARS[nullable.name] ?? "text";
}
