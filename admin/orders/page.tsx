import { ShowBase, useRecordContext, useTranslate } from "react-admin";
import { PageTitle } from "../parts/page-title";
import type { Order } from "./source";

export default function OrderPage() {
  return (
    <ShowBase disableAuthentication>
      <OrderDetails />
    </ShowBase>
  );
}

function OrderDetails() {
  const translate = useTranslate();
  const order = useRecordContext<Order>();
  if (!order) return null;
  return <PageTitle>{translate("shop.orders.one", { id: order.id })}</PageTitle>;
}
