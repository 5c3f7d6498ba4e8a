import { Box, Button, Link as MuiLink, Typography } from "@mui/material";
import { ShowBase, useNotify, useRecordContext, useRedirect, useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import { saveFile } from "../api/download";
import { problemOf } from "../api/problem";
import { StatusLabel } from "../orders/status-label";
import { AskButton } from "../parts/ask-button";
import { amount, count, time } from "../parts/format";
import { PageTitle } from "../parts/page-title";
import { SmallTable } from "../parts/small-table";
import { erase, everythingOf, type CustomerDetails } from "./source";

export default function CustomerPage() {
  return (
    <ShowBase disableAuthentication>
      <Customer />
    </ShowBase>
  );
}

function Customer() {
  const translate = useTranslate();
  const customer = useRecordContext<CustomerDetails>();
  // What a list has read of a customer is shown only once the rest is there, too.
  if (!customer || !("newest" in customer)) return null;
  const { email, orders, firstOrderAt, lastOrderAt, subscription, newest } = customer;
  const name = (field: string): string => translate(`resources.customers.fields.${field}`);
  const title = translate("resources.orders.name", { smart_count: 2 });
  const filter = encodeURIComponent(JSON.stringify({ email }));
  const subscribed =
    subscription &&
    translate(subscription.isActive ? "shop.customers.subscribed" : "shop.customers.ended", {
      since: time(subscription.createdAt),
    });
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
        <PageTitle>{email}</PageTitle>
        <Box sx={{ flex: 1 }} />
        <Export customer={customer} />
        <Erase customer={customer} />
      </Box>
      <Typography>
        {orders > 0 &&
          [
            `${name("orders")}: ${count(orders)}`,
            `${name("amount")}: ${amount(customer.amount)}`,
            `${name("firstOrderAt")}: ${time(firstOrderAt ?? "")}`,
            `${name("lastOrderAt")}: ${time(lastOrderAt ?? "")}`,
          ].join(", ")}
      </Typography>
      <Typography gutterBottom>
        {subscribed ?? translate("shop.customers.never_subscribed")}
      </Typography>
      <Typography component="h2" variant="h2" gutterBottom>
        {title}
      </Typography>
      <SmallTable
        label={title}
        headings={["id", "status", "totalAmount", "createdAt"].map((field) =>
          translate(`resources.orders.fields.${field}`),
        )}
        rows={newest.map(({ id, status, totalAmount, createdAt }) => ({
          key: id,
          cells: [
            <MuiLink key="id" component={Link} to={`/orders/${id}/show`}>
              {id}
            </MuiLink>,
            <StatusLabel key="status" status={status} />,
            ...[amount(totalAmount), time(createdAt)],
          ],
        }))}
      />
      {orders > newest.length && (
        <MuiLink component={Link} to={`/orders?filter=${filter}`}>
          {translate("shop.customers.all_orders", { count: count(orders) })}
        </MuiLink>
      )}
    </>
  );
}

/** Saves what is stored of a customer, for somebody who asks what that is. */
function Export({ customer }: { readonly customer: CustomerDetails }) {
  const translate = useTranslate();
  const notify = useNotify();
  const save = (): void => {
    everythingOf(customer)
      .then((stored) => saveFile("customer.json", new Blob([JSON.stringify(stored, null, 2)])))
      .catch((fault: unknown) => notify(problemOf(fault).message, { type: "error" }));
  };
  return <Button onClick={save}>{translate("shop.export.title")}</Button>;
}

function Erase({ customer }: { readonly customer: CustomerDetails }) {
  const { email, orders, events, amount: sum } = customer;
  const translate = useTranslate();
  const notify = useNotify();
  const redirect = useRedirect();
  const act = async (): Promise<void> => {
    const tombstone = await erase(email);
    notify("shop.customers.erased", { messageArgs: { tombstone } });
    redirect("list", "customers");
  };
  return (
    <AskButton
      label={translate("shop.customers.erase")}
      title={translate("shop.customers.erase_title", { email })}
      isFinal
      act={act}
    >
      {translate("shop.customers.erase_text", { orders, events, amount: amount(sum) })}
    </AskButton>
  );
}
