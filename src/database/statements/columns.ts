import { raw, type Sql } from "sql-template-tag";

/** The parts of a model that handwritten SQL needs. Every repository has them; `Row` is a plain row. */
export interface ModelTable<Row extends object> {
  new (): { readonly _attributes: Row };
  readonly tableName: string;
  getAttributes(): Readonly<Record<string, { readonly field?: string; readonly type: unknown }>>;
}

export const tableOf = ({ tableName }: ModelTable<object>): Sql => raw(tableName);

const columnLists = new WeakMap<ModelTable<object>, Map<string | undefined, Sql>>();

/** The columns of a model, named like its attributes, such as `"is_active" AS "isActive"`; all or all but one. */
export function columnsOf(model: ModelTable<object>, without?: string): Sql {
  const lists = columnLists.get(model) ?? new Map<string | undefined, Sql>();
  columnLists.set(model, lists);
  const known = lists.get(without);
  if (known) return known;
  const columns = Object.entries(model.getAttributes())
    .filter(([name]) => name !== without)
    .map(([name, { field = name }]) => `"${field}" AS "${name}"`);
  const list = raw(columns.join(", "));
  lists.set(without, list);
  return list;
}
