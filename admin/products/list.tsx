import { Button } from "@mui/material";
import { useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import { BulkAction } from "../parts/bulk";
import { ExportButton } from "../parts/export-button";
import { Choice, FilterBar, TextCondition, useConditions } from "../parts/filters";
import { amount, priceIn, time } from "../parts/format";
import { ListPage } from "../parts/list-page";
import { Picker } from "../parts/picker";
import type { Column } from "../parts/table";
import { categories, findCategories } from "../categories/source";
import { changeProduct, productFilter, type Product, type ProductConditions } from "./source";

export default function ProductList() {
  const translate = useTranslate();
  const name = (field: string): string => translate(`resources.products.fields.${field}`);
  const columns: Column<Product>[] = [
    { key: "name", sortBy: "name", label: name("name"), render: (product) => product.name },
    { key: "category", label: name("categoryId"), render: ({ category }) => category.name },
    {
      ...{ key: "price", sortBy: "price", label: name("price"), isNumber: true },
      render: ({ price }) => amount(price),
    },
    {
      ...{ key: "sale", label: name("isActive") },
      render: ({ isActive }) => translate(`shop.products.${isActive ? "on" : "off"}`),
    },
    {
      ...{ key: "created", sortBy: "createdAt", label: name("createdAt"), isExtra: true },
      render: ({ createdAt }) => time(createdAt),
    },
    {
      ...{ key: "updated", label: name("updatedAt") },
      render: ({ updatedAt }) => time(updatedAt),
    },
  ];
  return (
    <ListPage<Product>
      title="resources.products.name"
      resource="products"
      columns={columns}
      nameOf={(product) => product.name}
      linkTo={({ id }) => `/products/${id}`}
      filters={<ProductFilters />}
      actions={
        <>
          <Button component={Link} to="/products/create" variant="contained">
            {translate("shop.products.new")}
          </Button>
          <ExportButton kind="products" conditionsOf={(filter) => ({ ...productFilter(filter) })} />
        </>
      }
      bulk={<BulkActions />}
    />
  );
}

function ProductFilters() {
  const translate = useTranslate();
  const { conditions, set } = useConditions<ProductConditions>();
  const { search, category, sale, least, most } = conditions;
  const noPrice = (text: string) =>
    priceIn(text) === undefined ? "shop.products.no_price" : undefined;
  return (
    <FilterBar>
      <TextCondition
        type="search"
        label={translate("ra.action.search")}
        value={search}
        onChange={(next) => set({ search: next })}
      />
      <Choice
        isSingle
        label={translate("resources.products.fields.isActive")}
        choices={(["on", "off"] as const).map((value) => ({
          value,
          name: translate(`shop.products.${value}`),
        }))}
        value={sale ? [sale] : []}
        onChange={([next]) => set({ sale: next })}
      />
      <Picker
        kind="categories"
        label={translate("resources.products.fields.categoryId")}
        value={category}
        onChange={(next) => set({ category: next ?? undefined })}
        find={(text) => findCategories(text)}
        one={async (id) => (await categories.one?.(id)) ?? null}
      />
      <TextCondition
        {...{ width: 130, value: least, faultOf: noPrice }}
        label={translate("shop.products.least")}
        onChange={(next) => set({ least: next })}
      />
      <TextCondition
        {...{ width: 130, value: most, faultOf: noPrice }}
        label={translate("shop.products.most")}
        onChange={(next) => set({ most: next })}
      />
    </FilterBar>
  );
}

function BulkActions() {
  const translate = useTranslate();
  const action = (isActive: boolean) => {
    const key = isActive ? "put_on" : "take_off";
    return (
      <BulkAction<Product>
        label={translate(`shop.products.${key}`)}
        nameOf={({ name }) => name}
        question={(products) => ({
          title: translate(`shop.products.${key}_many`, { smart_count: products.length }),
          text: products
            .slice(0, 10)
            .map(({ name }) => name)
            .join(", "),
        })}
        done={(number) => translate(`shop.products.${key}_done`, { smart_count: number })}
        act={({ id, version }) => changeProduct(id, { isActive }, version)}
      />
    );
  };
  return (
    <>
      {action(true)}
      {action(false)}
    </>
  );
}
