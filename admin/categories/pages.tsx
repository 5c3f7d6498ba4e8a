import { BooleanInput, required, TextInput } from "react-admin";
import { History } from "../history/history";
import { EditForm } from "../parts/edit";
import { TextCondition } from "../parts/filters";
import { CreatePage } from "../parts/form";
import { count } from "../parts/format";
import { ListPage, type Column } from "../parts/list";
import { listOf, To } from "../parts/page";
import { NameInput } from "../products/pages";
import { t } from "../texts";
import type { Category, WholeCategory } from "./source";

const columns: readonly Column<Category>[] = [
  { key: "name", sorts: true },
  { key: "slug" },
  { key: "isActive", render: ({ isActive }) => t(`ra.boolean.${isActive}`) },
  { key: "createdAt", sorts: true, kind: "time" },
];

export const list = () => (
  <ListPage<Category>
    {...{ columns, canCreate: true, sort: { field: "name", order: "ASC" } }}
    filters={<TextCondition name="search" label={t("ra.action.search")} />}
  />
);

const others = (
  <>
    <TextInput source="slug" helperText={false} />
    <BooleanInput source="isActive" helperText={false} />
  </>
);

export const create = () => (
  <CreatePage defaults={{ name: "", slug: "", isActive: true }}>
    <NameInput />
    {others}
  </CreatePage>
);

export const edit = () => (
  <EditForm<Category & Partial<WholeCategory>>
    {...{ subject: "CATEGORY", nameOf: ({ name }) => name }}
    form={
      <>
        <TextInput source="name" autoFocus validate={required()} helperText={false} />
        {others}
      </>
    }
  >
    {({ id, version, products: { meta: { total } } = { meta: { total: 0 } } }) => (
      <>
        <To to={listOf("products", { category: id })}>
          {t("products.count", { smart_count: total, count: count(total) })}
        </To>
        <History subject="CATEGORY" {...{ id, version }} />
      </>
    )}
  </EditForm>
);
