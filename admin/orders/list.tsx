import { Button } from "@mui/material";
import { useListContext, useNotify, useRefresh, useTranslate } from "react-admin";
import { ListPage } from "../parts/list-page";
import { amount, time } from "../parts/format";
import type { Column } from "../parts/table";
import { setStatus, type Order } from "./source";
import { StatusLabel } from "./status-label";

export default function OrderList() {
  const translate = useTranslate();
  const name = (field: string): string => translate(`resources.orders.fields.${field}`);
  const columns: Column<Order>[] = [
    { key: "id", label: name("id"), render: ({ id }) => id },
    {
      key: "customerEmail",
      label: name("customerEmail"),
      render: ({ customerEmail }) => customerEmail,
    },
    {
      key: "status",
      label: name("status"),
      render: ({ status }) => <StatusLabel status={status} />,
    },
    {
      key: "totalAmount",
      label: name("totalAmount"),
      isNumber: true,
      render: ({ totalAmount }) => amount(totalAmount),
    },
    { key: "createdAt", label: name("createdAt"), render: ({ createdAt }) => time(createdAt) },
  ];
  return (
    <ListPage<Order>
      title="resources.orders.name"
      resource="orders"
      columns={columns}
      nameOf={({ id }) => translate("shop.orders.one", { id })}
      linkTo={({ id }) => `/orders/${id}/show`}
      bulk={<MarkPaid />}
    />
  );
}

function MarkPaid() {
  const translate = useTranslate();
  const refresh = useRefresh();
  const notify = useNotify();
  const { data = [], selectedIds, onUnselectItems } = useListContext<Order>();
  const pay = async (): Promise<void> => {
    for (const order of data.filter(({ id }) => selectedIds.includes(id))) {
      await setStatus(order, "PAID");
      notify("shop.orders.paid", { messageArgs: { id: order.id } });
    }
    onUnselectItems();
    refresh();
  };
  return <Button onClick={() => void pay()}>{translate("shop.orders.mark_paid")}</Button>;
}
