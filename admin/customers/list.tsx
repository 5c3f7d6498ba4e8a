import { useTranslate } from "react-admin";
import { FilterBar, TextCondition, useConditions } from "../parts/filters";
import { amount, count, time } from "../parts/format";
import { ListPage } from "../parts/list-page";
import type { Column } from "../parts/table";
import type { Customer } from "./source";

export default function CustomerList() {
  const translate = useTranslate();
  const name = (field: string): string => translate(`resources.customers.fields.${field}`);
  const columns: Column<Customer>[] = [
    { key: "email", label: name("email"), render: ({ email }) => email },
    {
      key: "orders",
      label: name("orders"),
      isNumber: true,
      render: ({ orders }) => count(orders),
    },
    {
      key: "amount",
      label: name("amount"),
      isNumber: true,
      render: ({ amount: sum }) => amount(sum),
    },
    {
      key: "firstOrderAt",
      label: name("firstOrderAt"),
      render: ({ firstOrderAt }) => time(firstOrderAt),
    },
    {
      key: "lastOrderAt",
      label: name("lastOrderAt"),
      render: ({ lastOrderAt }) => time(lastOrderAt),
    },
  ];
  return (
    <ListPage<Customer>
      title="resources.customers.name"
      resource="customers"
      columns={columns}
      sort={{ field: "email", order: "ASC" }}
      nameOf={({ email }) => email}
      linkTo={({ email }) => `/customers/${encodeURIComponent(email)}/show`}
      filters={<Search />}
    />
  );
}

function Search() {
  const translate = useTranslate();
  const { conditions, set } = useConditions<{ readonly search?: string }>();
  return (
    <FilterBar>
      <TextCondition
        type="search"
        label={translate("shop.customers.search")}
        value={conditions.search}
        faultOf={(text) => (text.trim().length < 3 ? "shop.list.three_letters" : undefined)}
        onChange={(search) => set({ search })}
      />
    </FilterBar>
  );
}
