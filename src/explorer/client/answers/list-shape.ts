import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type SelectionSetNode,
} from "graphql";
import { selectedFields, selectionsOf, type SelectedField, type Sources } from "./selected-fields";

/** How the value of a field contains a list of objects. */
export interface ListShape {
  readonly kind: "list" | "page" | "connection";
  /** The type of the rows, and their selections. */
  readonly type: GraphQLCompositeType;
  readonly sets: readonly SelectionSetNode[];
  /** The keys from the field's value to the list. */
  readonly path: readonly string[];
  /** The key of the row in an entry of the list; undefined if the entry itself is the row. */
  readonly node: string | undefined;
  /** The fields beside the list, such as its position and count. */
  readonly beside: readonly SelectedField[];
}

/** The list that a field's value is, or that it contains as a page or a connection; undefined if there is none. */
export function listShapeOf(sources: Sources, field: SelectedField): ListShape | undefined {
  const { type } = field.definition;
  const sets = selectionsOf(field);
  const rows = listedType(type);
  if (rows) return { kind: "list", type: rows, sets, path: [], node: undefined, beside: [] };

  const container = getNullableType(type);
  if (!isObjectType(container) || !isContainer(container.getFields())) return undefined;
  const fields = selectedFields(sources, container, sets);
  const list = fields.find(({ definition }) => listedType(definition.type));
  const listed = list && listedType(list.definition.type);
  if (!list || !listed) return undefined;
  const beside = fields.filter((each) => each !== list);
  return (
    connectionOf(sources, list, listed, beside) ?? {
      kind: "page",
      type: listed,
      sets: selectionsOf(list),
      path: [list.key],
      node: undefined,
      beside,
    }
  );
}

function connectionOf(
  sources: Sources,
  list: SelectedField,
  edge: GraphQLCompositeType,
  beside: readonly SelectedField[],
): ListShape | undefined {
  if (list.definition.name !== "edges") return undefined;
  const fields = selectedFields(sources, edge, selectionsOf(list));
  const node = fields.find(({ definition }) => definition.name === "node");
  const type = node && getNamedType(node.definition.type);
  if (!node || !isCompositeType(type)) return undefined;
  const sets = selectionsOf(node);
  return { kind: "connection", type, sets, path: [list.key], node: node.key, beside };
}

/** Whether objects with these fields only wrap a list: they have one list and no id. */
function isContainer(fields: Readonly<Record<string, { type: GraphQLOutputType }>>): boolean {
  const lists = Object.values(fields).filter(({ type }) => listedType(type));
  return lists.length === 1 && !("id" in fields);
}

/** The type of a list's objects; undefined if the type is not a list of objects. */
function listedType(type: GraphQLOutputType): GraphQLCompositeType | undefined {
  const list = getNullableType(type);
  const entry = isListType(list) ? (getNullableType(list.ofType) as GraphQLOutputType) : undefined;
  return isCompositeType(entry) ? entry : undefined;
}
