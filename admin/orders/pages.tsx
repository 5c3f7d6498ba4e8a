import { Alert, Button, Chip, Stack } from "@mui/material";
import { useEffect, useRef, useState } from "react";
import { useListContext } from "react-admin";
import type { OrderStatus } from "../api/generated/graphql";
import { History } from "../history/history";
import { AskButton, useAct } from "../parts/ask";
import { BulkAction } from "../parts/bulk";
import { ChipCondition, Choice, ChoiceCondition, choicesOf, DaysCondition } from "../parts/filters";
import { PickerCondition, TextCondition, useCondition } from "../parts/filters";
import { amount, PERIODS, sumOf, time } from "../parts/format";
import { ListPage, type Column, type Newer } from "../parts/list";
import { ExportButton } from "../parts/menus";
import { PageHead, pageOf, Section, SmallTable, ThingPage, To } from "../parts/page";
import { eventName, fieldName, t } from "../texts";
import { newerOrders, orderFilter, setStatus, STATUSES } from "./source";
import type { Order, WholeOrder } from "./source";

const columns: readonly Column<Order>[] = [
  { key: "id" },
  { key: "customerEmail" },
  { key: "status", render: ({ status }) => <Status status={status} /> },
  { key: "totalAmount", kind: "amount" },
  { key: "createdAt", kind: "time" },
];

const nameOf = ({ id }: Order): string => t("orders.one", { id });

export const list = () => (
  <ListPage<Order>
    {...{ columns, nameOf, useNewer: useNewerOrders, filters: <Filters /> }}
    actions={<ExportButton kind="orders" conditionsOf={orderFilter} />}
    bulk={
      <>
        <Move status="PAID" />
        <Move status="CANCELLED" />
      </>
    }
  />
);

function Filters() {
  const [placed, setPlaced] = useCondition<string>("placed");
  return (
    <>
      <ChoiceCondition
        {...{ name: "statuses", label: t("field.status") }}
        choices={choicesOf("orders.status", STATUSES)}
      />
      <Choice
        {...{ isSingle: true, label: fieldName("orders", "createdAt"), value: [placed ?? ""] }}
        choices={choicesOf("period", [...PERIODS, "days"])}
        onChange={([next]) => setPlaced(next, { from: undefined, to: undefined })}
      />
      {placed === "days" && <DaysCondition />}
      <TextCondition name="customer" kind="part" label={t("orders.customer")} />
      <ChipCondition name="email" />
      <PickerCondition name="product" kind="products" label={t("field.product")} />
    </>
  );
}

/** Moves all selected orders, after a question with their sum and the first few addresses. */
function Move({ status }: { readonly status: "PAID" | "CANCELLED" }) {
  const about = (orders: readonly Order[]): string => {
    const all = [...new Set(orders.map(({ customerEmail }) => customerEmail))];
    const names = all.slice(0, 5).join(", ") + (all.length > 5 ? ", …" : "");
    const sum = sumOf(orders.map(({ totalAmount }) => ({ amount: totalAmount })));
    return t("orders.about", { amount: amount(sum), names });
  };
  return (
    <BulkAction<Order>
      {...{ nameOf, about, text: `orders.${status}`, isFinal: status === "CANCELLED" }}
      act={(order) => setStatus(order, status)}
    />
  );
}

const LOOK_EVERY = 5000;

/**
 * Looks every 5 s, while the page is visible, for orders that are newer than the first page of the list. They appear
 * above as soon as neither the pointer nor the focus is in the table, so that no row moves away from under them.
 */
function useNewerOrders(): Newer<Order> {
  const { data, page, filterValues } = useListContext<Order>();
  const opened = useRef(new Date().toISOString());
  const [found, setFound] = useState<readonly Order[]>([]);
  const [above, setAbove] = useState<readonly Order[]>([]);
  const show = (orders: readonly Order[]): void => {
    setFound([]);
    setAbove([...orders, ...above]);
  };
  useEffect(() => {
    setFound([]);
    setAbove([]);
  }, [data]);
  useEffect(() => {
    if (page !== 1 || !data) return;
    const look = async (): Promise<void> => {
      if (document.visibilityState !== "visible") return;
      const since = above[0]?.createdAt ?? data[0]?.createdAt ?? opened.current;
      const seen = new Set([...data, ...above].map(({ id }) => id));
      const newer = await newerOrders(since, filterValues as object).catch(() => []);
      const orders = newer.filter(({ id }) => !seen.has(id));
      if (orders.length === 0) return;
      if (document.querySelector("main table:is(:hover, :focus-within)")) setFound(orders);
      else show(orders);
    };
    const timer = setInterval(() => void look(), LOOK_EVERY);
    return () => clearInterval(timer);
  });
  const number = found.length || above.length;
  const action = found.length > 0 && (
    <Button onClick={() => show(found)}>{t("ra.action.show")}</Button>
  );
  return {
    above,
    notice: (
      <div role="status">
        {number > 0 && (
          <Alert severity="info" sx={{ mb: 1, py: 0 }} action={action}>
            {t("orders.newer", { smart_count: number })}
          </Alert>
        )}
      </div>
    ),
  };
}

export const show = () => <ThingPage<WholeOrder> has="items" of={Details} />;

type Props = Readonly<{ thing: WholeOrder }>;

function Details({ thing: order }: Props) {
  const { id, customerEmail, createdAt, version, events } = order;
  return (
    <Stack spacing={2} sx={{ maxWidth: 900 }}>
      <PageHead title={t("orders.one", { id })}>
        <Status status={order.status} />
        <Actions thing={order} />
      </PageHead>
      <p>
        <To to={pageOf("customers", customerEmail)}>{customerEmail}</To>
        {`, ${time(createdAt)}`}
      </p>
      <Items thing={order} />
      <History subject="ORDER" id={id} version={version} />
      <Section title={t("orders.events")}>
        {events.edges.map(({ node }) => (
          <div key={node.id}>{`${time(node.at)}: ${eventName(node.type)}`}</div>
        ))}
      </Section>
    </Stack>
  );
}

/** What was ordered, named and priced as it was then. */
function Items({ thing: order }: Props) {
  const sum = t("field.totalAmount");
  return (
    <SmallTable
      label={t("orders.items")}
      headings={["field.product", "field.quantity", "field.price", "field.totalAmount"]}
      numbers={[1, 2, 3]}
      rows={[
        ...order.items.map(({ productId, productName, quantity, unitPrice }) => [
          <To key="product" to={pageOf("products", productId)}>
            {productName}
          </To>,
          ...[quantity, amount(unitPrice)],
          amount(sumOf([{ amount: unitPrice, times: quantity }])),
        ]),
        [sum, "", "", amount(order.totalAmount)],
      ]}
    />
  );
}

/** The buttons stay in their places; what can't be done any more is switched off. */
function Actions({ thing: order }: Props) {
  const act = useAct();
  const { id, status, customerEmail: email, totalAmount } = order;
  return (
    <>
      <Button
        {...{ variant: "contained", disabled: status !== "PENDING" }}
        onClick={() => act(setStatus(order, "PAID"), t("orders.now_PAID", { id }))}
      >
        {t("orders.PAID")}
      </Button>
      <AskButton
        {...{ label: t("orders.CANCELLED"), disabled: status === "CANCELLED" }}
        {...{ title: t("orders.cancel_title", { id }), done: t("orders.now_CANCELLED", { id }) }}
        act={() => setStatus(order, "CANCELLED")}
      >
        {t("orders.about", { names: email, amount: amount(totalAmount) })}
      </AskButton>
    </>
  );
}

const COLORS = { PENDING: "primary", PAID: "default", CANCELLED: "error" } as const;

export function Status({ status }: { readonly status: OrderStatus }) {
  const label = t(`orders.status.${status}`);
  return <Chip {...{ size: "small", variant: "outlined", color: COLORS[status], label }} />;
}
