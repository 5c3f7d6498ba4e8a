import {
  Box,
  Button,
  Link as MuiLink,
  Paper,
  Table,
  TableBody,
  TableCell,
  TableFooter,
  TableHead,
  TableRow,
  Typography,
} from "@mui/material";
import { useState } from "react";
import { ShowBase, useNotify, useRecordContext, useRefresh, useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import { problemOf } from "../api/problem";
import { History } from "../history/history";
import { Ask } from "../parts/ask";
import { amount, sumOf, time } from "../parts/format";
import { PageTitle } from "../parts/page-title";
import { OrderEvents } from "./events";
import { setStatus, type WholeOrder } from "./source";
import { StatusLabel } from "./status-label";

export default function OrderPage() {
  return (
    <ShowBase disableAuthentication>
      <OrderDetails />
    </ShowBase>
  );
}

function OrderDetails() {
  const translate = useTranslate();
  const order = useRecordContext<WholeOrder>();
  if (!order?.items) return null;
  const { id, customerEmail, status, createdAt } = order;
  return (
    <Box sx={{ display: "grid", gap: 2, maxWidth: 900 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center" }}>
        <PageTitle>{translate("shop.orders.one", { id })}</PageTitle>
        <StatusLabel status={status} />
        <Box sx={{ flex: 1 }} />
        <Actions order={order} />
      </Box>
      <Typography>
        <MuiLink component={Link} to={`/customers/${encodeURIComponent(customerEmail)}/show`}>
          {customerEmail}
        </MuiLink>
        {`, ${time(createdAt)}`}
      </Typography>
      <Items order={order} />
      <History subject="ORDER" id={id} version={order.version} />
      <OrderEvents id={id} version={order.version} />
    </Box>
  );
}

/** What was ordered, named and priced as it was then. */
function Items({ order }: { readonly order: WholeOrder }) {
  const translate = useTranslate();
  const headings = ["product", "quantity", "unit_price", "line_total"];
  return (
    <Paper variant="outlined" sx={{ overflowX: "auto" }}>
      <Table size="small" aria-label={translate("shop.orders.items")}>
        <TableHead>
          <TableRow>
            {headings.map((key, index) => (
              <TableCell key={key} align={index > 0 ? "right" : "left"}>
                {translate(`shop.orders.${key}`)}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {order.items.map(({ id, productId, productName, quantity, unitPrice }) => (
            <TableRow key={id}>
              <TableCell component="th" scope="row">
                <MuiLink component={Link} to={`/products/${productId}`}>
                  {productName}
                </MuiLink>
              </TableCell>
              <TableCell align="right">{quantity}</TableCell>
              <TableCell align="right">{amount(unitPrice)}</TableCell>
              <TableCell align="right">
                {amount(sumOf([{ amount: unitPrice, times: quantity }]))}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
        <TableFooter>
          <TableRow>
            <TableCell colSpan={3}>{translate("resources.orders.fields.totalAmount")}</TableCell>
            <TableCell align="right" sx={{ fontSize: "1rem", color: "text.primary" }}>
              {amount(order.totalAmount)}
            </TableCell>
          </TableRow>
        </TableFooter>
      </Table>
    </Paper>
  );
}

/** The buttons keep their places; what can't be done any more is switched off. */
function Actions({ order }: { readonly order: WholeOrder }) {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const [isAsked, setAsked] = useState(false);
  const { id, status } = order;
  const move = async (to: "PAID" | "CANCELLED"): Promise<void> => {
    await setStatus(order, to).finally(refresh);
    notify(`shop.orders.now_${to}`, { type: "success", messageArgs: { id } });
  };
  const pay = (): void => {
    move("PAID").catch((fault: unknown) => notify(problemOf(fault).message, { type: "error" }));
  };
  return (
    <>
      <Button variant="contained" disabled={status !== "PENDING"} onClick={pay}>
        {translate("shop.orders.mark_paid")}
      </Button>
      <Button color="error" disabled={status === "CANCELLED"} onClick={() => setAsked(true)}>
        {translate("shop.orders.cancel")}
      </Button>
      {isAsked && (
        <Ask
          title={translate("shop.orders.cancel_title", { id })}
          label={translate("shop.orders.cancel")}
          onClose={() => setAsked(false)}
          act={() => move("CANCELLED")}
        >
          {translate("shop.orders.cancel_text", {
            email: order.customerEmail,
            amount: amount(order.totalAmount),
          })}
        </Ask>
      )}
    </>
  );
}
