import { useTranslate } from "react-admin";
import { BulkAction } from "../parts/bulk";
import { ExportButton } from "../parts/export-button";
import { amount, count, sumOf, time } from "../parts/format";
import { ListPage } from "../parts/list-page";
import { useNewerThings } from "../parts/newer";
import type { Column } from "../parts/table";
import { OrderFilters } from "./filters";
import { newerOrders, orderFilter, setStatus, type Order } from "./source";
import { StatusLabel } from "./status-label";

const useNewerOrders = () =>
  useNewerThings<Order>((since, filter) => newerOrders(since, filter), "shop.orders.new");

export default function OrderList() {
  const translate = useTranslate();
  const name = (field: string): string => translate(`resources.orders.fields.${field}`);
  const columns: Column<Order>[] = [
    { key: "id", label: name("id"), render: ({ id }) => id },
    { key: "customer", label: name("customerEmail"), render: (order) => order.customerEmail },
    {
      key: "status",
      label: name("status"),
      render: ({ status }) => <StatusLabel status={status} />,
    },
    {
      key: "sum",
      label: name("totalAmount"),
      isNumber: true,
      render: ({ totalAmount }) => amount(totalAmount),
    },
    { key: "placed", label: name("createdAt"), render: ({ createdAt }) => time(createdAt) },
  ];
  return (
    <ListPage<Order>
      title="resources.orders.name"
      resource="orders"
      columns={columns}
      nameOf={({ id }) => translate("shop.orders.one", { id })}
      linkTo={({ id }) => `/orders/${id}/show`}
      filters={<OrderFilters />}
      actions={
        <ExportButton kind="orders" conditionsOf={(filter) => ({ ...orderFilter(filter) })} />
      }
      bulk={<BulkActions />}
      useNewer={useNewerOrders}
    />
  );
}

/** What all selected orders can be made: paid, or cancelled. */
function BulkActions() {
  const translate = useTranslate();
  const action = (status: "PAID" | "CANCELLED", key: string, isFinal: boolean) => (
    <BulkAction<Order>
      isFinal={isFinal}
      label={translate(`shop.orders.${key}`)}
      nameOf={({ id }) => translate("shop.orders.one", { id })}
      question={(orders) => ({
        title: translate(`shop.orders.${key}_many`, { smart_count: orders.length }),
        text: translate(`shop.orders.${key}_many_text`, {
          count: count(orders.length),
          amount: amount(sumOf(orders.map((order) => ({ amount: order.totalAmount })))),
          names: namesOf(orders),
        }),
      })}
      done={(number) => translate(`shop.orders.${key}_done`, { smart_count: number })}
      act={(order) => setStatus(order, status)}
    />
  );
  return (
    <>
      {action("PAID", "mark_paid", false)}
      {action("CANCELLED", "cancel", true)}
    </>
  );
}

/** The first few addresses. */
function namesOf(orders: readonly Order[]): string {
  const names = [...new Set(orders.map(({ customerEmail }) => customerEmail))];
  return [...names.slice(0, 5), ...(names.length > 5 ? ["…"] : [])].join(", ");
}
