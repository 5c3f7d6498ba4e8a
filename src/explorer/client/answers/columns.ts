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
export type Kind = "number" | "time" | "boolean" | "enum" | "text" | "list" | "object";

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

/**
 * The columns for what selections ask of a type, in their order. The fields of an object are columns
 * of their own; what lies deeper is one column.
 *
 * @param isLeftOut fields that are shown elsewhere
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

/** The columns of fields that have no columns of their own. */
export function column(field: SelectedField, inner?: SelectedField): TypedColumn {
  const fields = inner ? [field, inner] : [field];
  return {
    path: fields.map(({ key }) => key),
    fields: fields.map(({ definition }) => definition.name),
    kind: kindOf((inner ?? field).definition.type),
  };
}

/** What stands above a column. */
export const columnHeading = ({ path }: Column): string => headingOf(...path);

function kindOf(type: GraphQLOutputType): Kind {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return "list";
  if (isCompositeType(nullable)) return "object";
  if (isEnumType(nullable)) return "enum";
  return SCALARS[nullable.name] ?? "text";
}
