import {
  getNamedType,
  isCompositeType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { isObject, valueOf } from "../objects";
import { operationOf } from "../operation-of";
import type { Request } from "../service";
import type { Row } from "./answer-table";
import { column, columnsOf } from "./columns";
import { givenArguments } from "./given-arguments";
import { listShapeOf, type ListShape } from "./list-shape";
import { positionIn } from "./position";
import { selectedFields, selectionsOf, type SelectedField, type Sources } from "./selected-fields";
import type { SourcedTable } from "./sourced-table";

/**
 * The tables of an answer, in the order of its fields. A list is a table, also one in a page or a connection. Any
 * other object is a table with a single row, and each list in it is one more table. Values that are not objects
 * share a table. Introspection, and fields that the schema does not have, are left out.
 */
export function tablesIn(schema: GraphQLSchema, request: Request, data: Row): SourcedTable[] {
  const parsed = operationOf(request);
  const root = parsed && schema.getRootType(parsed.operation.operation);
  if (!root) return [];
  const { operation, fragments } = parsed;
  const reader = new Reader({ schema, fragments }, operation, request);
  const fields = selectedFields(reader.sources, root, [operation.selectionSet]).filter(
    ({ key, definition }) => valueOf(data, key) !== undefined && !definition.name.startsWith("__"),
  );
  const isOfObjects = ({ definition }: SelectedField) =>
    isCompositeType(getNamedType(definition.type));
  const scalars = fields.filter((field) => !isOfObjects(field));
  const tables = fields.filter(isOfObjects).flatMap((field) => reader.tablesOf(field, data));
  return scalars.length === 0 ? tables : [...tables, tableOfScalars(root.name, scalars, data)];
}

class Reader {
  constructor(
    readonly sources: Sources,
    private readonly operation: OperationDefinitionNode,
    private readonly request: Request,
  ) {}

  /** The tables of a root field. */
  tablesOf(field: SelectedField, data: Row): SourcedTable[] {
    const value = valueOf(data, field.key);
    const shape = listShapeOf(this.sources, field);
    return shape ? [this.#list(field, shape, value, [])] : this.#object(field, value);
  }

  #list(
    field: SelectedField,
    shape: ListShape,
    value: unknown,
    parents: readonly string[],
  ): SourcedTable {
    const { node } = shape;
    const list = shape.path.reduce(valueOf, value);
    const entries: unknown[] = Array.isArray(list) ? list : [];
    const rows = entries.map((entry) => (node === undefined ? entry : valueOf(entry, node)));
    return {
      title: field.key,
      typeName: shape.type.name,
      path: [...parents, field.key, ...shape.path],
      columns: columnsOf(this.sources, shape.type, shape.sets),
      rows: rows.filter(isObject),
      kind: shape.kind,
      given: givenArguments(field, this.operation, this.request.variables ?? {}),
      position: positionIn(this.sources, shape.beside, value),
    };
  }

  #object(field: SelectedField, value: unknown): SourcedTable[] {
    const type = getNamedType(field.definition.type);
    if (!isCompositeType(type)) return [];
    const sets = selectionsOf(field);
    const shapes = new Map<string, ListShape>();
    const inner = selectedFields(this.sources, type, sets);
    for (const each of inner) {
      const shape = listShapeOf(this.sources, each);
      if (shape) shapes.set(each.key, shape);
    }
    const itself: SourcedTable = {
      title: field.key,
      typeName: type.name,
      path: [field.key],
      columns: columnsOf(this.sources, type, sets, ({ key }) => shapes.has(key)),
      rows: isObject(value) ? [value] : [],
      kind: "object",
      given: new Map(),
      position: {},
    };
    const lists = inner.flatMap((each) => {
      const shape = shapes.get(each.key);
      return shape && isObject(value)
        ? this.#list(each, shape, valueOf(value, each.key), [field.key])
        : [];
    });
    return itself.columns.length === 0 && isObject(value) ? lists : [itself, ...lists];
  }
}

function tableOfScalars(
  typeName: string,
  fields: readonly SelectedField[],
  data: Row,
): SourcedTable {
  return {
    title: fields.length === 1 ? (fields[0]?.key ?? "") : "answer",
    typeName,
    path: [],
    columns: fields.map((field) => column(field)),
    rows: [data],
    kind: "object",
    given: new Map(),
    position: {},
  };
}
