import { Button } from "@mui/material";
import { useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import { FilterBar, TextCondition, useConditions } from "../parts/filters";
import { time } from "../parts/format";
import { ListPage } from "../parts/list-page";
import type { Column } from "../parts/table";
import type { Category } from "./source";

export default function CategoryList() {
  const translate = useTranslate();
  const name = (field: string): string => translate(`resources.categories.fields.${field}`);
  const columns: Column<Category>[] = [
    { key: "name", sortBy: "name", label: name("name"), render: (category) => category.name },
    { key: "slug", label: name("slug"), render: ({ slug }) => slug },
    {
      ...{ key: "shown", label: name("isActive") },
      render: ({ isActive }) => translate(`ra.boolean.${isActive}`),
    },
    {
      ...{ key: "created", sortBy: "createdAt", label: name("createdAt") },
      render: ({ createdAt }) => time(createdAt),
    },
  ];
  return (
    <ListPage<Category>
      title="resources.categories.name"
      resource="categories"
      sort={{ field: "name", order: "ASC" }}
      columns={columns}
      nameOf={(category) => category.name}
      linkTo={({ id }) => `/categories/${id}`}
      filters={<Filters />}
      actions={
        <Button component={Link} to="/categories/create" variant="contained">
          {translate("shop.categories.new")}
        </Button>
      }
    />
  );
}

function Filters() {
  const translate = useTranslate();
  const { conditions, set } = useConditions<{ search?: string }>();
  return (
    <FilterBar>
      <TextCondition
        type="search"
        label={translate("ra.action.search")}
        value={conditions.search}
        onChange={(search) => set({ search })}
      />
    </FilterBar>
  );
}
