import { Button, Typography } from "@mui/material";
import { useNotify, useRedirect } from "react-admin";
import { saveFile } from "../api/request";
import { Status } from "../orders/pages";
import { AskButton } from "../parts/ask";
import { TextCondition } from "../parts/filters";
import { amount, count, time } from "../parts/format";
import { ListPage, type Column } from "../parts/list";
import { listOf, PageHead, pageOf, Section, SmallTable, ThingPage, To } from "../parts/page";
import { fieldName, kindName, t } from "../texts";
import { erase, everythingOf, type Customer, type CustomerDetails } from "./source";

const columns: readonly Column<Customer>[] = [
  { key: "email" },
  { key: "orders", kind: "count" },
  { key: "amount", kind: "amount" },
  { key: "firstOrderAt", kind: "time" },
  { key: "lastOrderAt", kind: "time" },
];

export const list = () => (
  <ListPage<Customer>
    {...{ columns, sort: { field: "email", order: "ASC" } }}
    filters={<TextCondition name="search" kind="part" label={t("customers.search")} />}
  />
);

const headings = ["id", "status", "totalAmount", "createdAt"].map(
  (field) => `resources.orders.fields.${field}`,
);

export const show = () => <ThingPage<CustomerDetails> has="newest" of={Details} />;

function Details({ thing: customer }: { readonly thing: CustomerDetails }) {
  const { email, orders, firstOrderAt, lastOrderAt, subscription, newest } = customer;
  const facts = [count(orders), amount(customer.amount), time(firstOrderAt), time(lastOrderAt)];
  const texts = ["orders", "amount", "firstOrderAt", "lastOrderAt"].map(
    (key, index) => `${fieldName("customers", key)}: ${facts[index]}`,
  );
  const since = time(subscription?.createdAt);
  const subscribed = subscription?.isActive ? "subscribed" : "ended";
  return (
    <>
      <PageHead title={email}>
        <Buttons customer={customer} />
      </PageHead>
      {orders > 0 && <Typography>{texts.join(", ")}</Typography>}
      <Typography gutterBottom>
        {t(`customers.${subscription ? subscribed : "never_subscribed"}`, { since })}
      </Typography>
      <Section title={kindName("orders")}>
        <SmallTable
          label={kindName("orders")}
          headings={headings}
          rows={newest.map(({ id, status, totalAmount, createdAt }) => [
            <To key="id" to={pageOf("orders", id)}>
              {id}
            </To>,
            <Status key="status" status={status} />,
            ...[amount(totalAmount), time(createdAt)],
          ])}
        />
        {orders > newest.length && (
          <To to={listOf("orders", { email })}>
            {t("customers.all_orders", { count: count(orders) })}
          </To>
        )}
      </Section>
    </>
  );
}

function Buttons({ customer }: { readonly customer: CustomerDetails }) {
  const { email, orders, events, amount: sum } = customer;
  const notify = useNotify();
  const redirect = useRedirect();
  const save = (): void => {
    everythingOf(customer)
      .then((stored) => saveFile("customer.json", new Blob([JSON.stringify(stored, null, 2)])))
      .catch((fault: unknown) => notify((fault as Error).message, { type: "error" }));
  };
  const act = async (): Promise<void> => {
    notify(t("customers.erased", { tombstone: await erase(email) }));
    redirect("list", "customers");
  };
  const title = t("customers.erase_title", { email });
  return (
    <>
      <Button onClick={save}>{t("ra.action.export")}</Button>
      <AskButton {...{ act, title, label: t("customers.erase") }}>
        {t("customers.erase_text", { orders, events, amount: amount(sum) })}
      </AskButton>
    </>
  );
}
