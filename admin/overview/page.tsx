import {
  Alert,
  Box,
  Button,
  Link as MuiLink,
  List,
  ListItem,
  Paper,
  Typography,
} from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loading, useTranslate } from "react-admin";
import { Link } from "react-router-dom";
import { graphql } from "../api/graphql";
import { problemOf } from "../api/problem";
import { request } from "../api/request";
import { amount, count, dayOf, startOf, time } from "../parts/format";
import { PageTitle } from "../parts/page-title";
import { StatusLabel } from "../orders/status-label";
import { SalesPlot } from "./sales-plot";

const OverviewQuery = graphql(`
  query Overview($from: Date!, $to: Date!, $zone: String!, $since: DateTime!, $now: DateTime!) {
    waiting: orderTotals(filter: { status: PENDING }) { orders amount }
    salesByDay(from: $from, to: $to, timeZone: $zone) { date orders amount }
    bestSellers(from: $since, before: $now, first: 5) {
      data { productId productName quantity amount }
    }
    offSale: products(pageSize: 5, filter: { isActive: false }) {
      data { id name } meta { total }
    }
    webhookEndpoints { id url isActive failingSince disabledBecause }
    newest: ordersConnection(first: 5) {
      edges { node { id customerEmail totalAmount status createdAt } }
    }
  }
`);

/** Days that are shown, before which as many are compared. */
const DAYS = 30;

function read(signal: AbortSignal) {
  const now = new Date();
  const today = dayOf(now);
  return request(
    OverviewQuery,
    {
      from: dayOf(startOf(today, 1 - 2 * DAYS)),
      to: today,
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      since: startOf(today, 1 - DAYS).toISOString(),
      now: now.toISOString(),
    },
    signal,
  );
}

/** What there is to do, and how the shop is doing. */
export default function Overview() {
  const translate = useTranslate();
  const { data, error, refetch } = useQuery({
    queryKey: ["overview"],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: 60_000,
  });
  const pending = encodeURIComponent(JSON.stringify({ statuses: ["PENDING"] }));
  const off = encodeURIComponent(JSON.stringify({ sale: "off" }));
  const failing = data?.webhookEndpoints.filter(
    ({ failingSince, disabledBecause }) => failingSince !== null || disabledBecause !== null,
  );
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Box sx={{ display: "flex", gap: 1, alignItems: "center" }}>
        <PageTitle>{translate("shop.page.overview")}</PageTitle>
        <Box sx={{ flex: 1 }} />
        <Button component={Link} to="/products/create">
          {translate("shop.products.new")}
        </Button>
      </Box>
      {error && (
        <Alert
          severity="error"
          action={
            <Button onClick={() => void refetch()}>{translate("shop.action.try_again")}</Button>
          }
        >
          {problemOf(error).message}
        </Alert>
      )}
      {!data && !error && <Loading />}
      {data && (
        <>
          <Box
            sx={{
              display: "grid",
              gap: 2,
              gridTemplateColumns: { md: "repeat(3, minmax(0, 1fr))" },
            }}
          >
            <Panel title={translate("shop.overview.waiting")}>
              <MuiLink
                component={Link}
                to={`/orders?filter=${pending}`}
                sx={{ fontSize: "1.3rem" }}
              >
                {translate("shop.overview.orders", {
                  smart_count: data.waiting.orders,
                  count: count(data.waiting.orders),
                })}
              </MuiLink>
              <Typography>{amount(data.waiting.amount)}</Typography>
            </Panel>
            <Panel title={translate("shop.overview.off_sale")}>
              <MuiLink component={Link} to={`/products?filter=${off}`} sx={{ fontSize: "1.3rem" }}>
                {translate("shop.overview.products", {
                  smart_count: data.offSale.meta.total,
                  count: count(data.offSale.meta.total),
                })}
              </MuiLink>
              <Lines
                lines={data.offSale.data.map(({ id, name }) => ({
                  key: id,
                  to: `/products/${id}`,
                  name,
                }))}
              />
            </Panel>
            <Panel title={translate("shop.overview.failing")}>
              <Lines
                none={translate("shop.overview.none_failing")}
                lines={(failing ?? []).map(({ id, url, failingSince }) => ({
                  ...{ key: id, to: "/webhooks", name: url },
                  detail: failingSince === null ? "" : time(failingSince),
                }))}
              />
            </Panel>
          </Box>
          <Panel title={translate("shop.overview.sales")}>
            <SalesPlot days={data.salesByDay} shown={DAYS} />
          </Panel>
          <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { md: "1fr 1fr" } }}>
            <Panel title={translate("shop.overview.best")}>
              <Lines
                none={translate("shop.list.nothing")}
                lines={data.bestSellers.data.map((best) => ({
                  ...{
                    key: best.productId,
                    to: `/products/${best.productId}`,
                    name: best.productName,
                  },
                  detail: `${count(best.quantity)} · ${amount(best.amount)}`,
                }))}
              />
            </Panel>
            <Panel title={translate("shop.overview.newest")}>
              <Lines
                none={translate("shop.list.nothing")}
                lines={data.newest.edges.map(({ node }) => ({
                  ...{ key: node.id, to: `/orders/${node.id}/show` },
                  name: `${node.id}, ${node.customerEmail}`,
                  detail: (
                    <>
                      {`${amount(node.totalAmount)} · ${time(node.createdAt)} `}
                      <StatusLabel status={node.status} />
                    </>
                  ),
                }))}
              />
            </Panel>
          </Box>
        </>
      )}
    </Box>
  );
}

const Panel = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Paper component="section" variant="outlined" sx={{ p: 2, minWidth: 0 }}>
    <Typography component="h2" variant="h2" sx={{ mb: 1 }}>
      {title}
    </Typography>
    {children}
  </Paper>
);

interface Line {
  readonly key: number;
  readonly to: string;
  readonly name: string;
  readonly detail?: ReactNode;
}

const Lines = ({ lines, none }: { readonly lines: readonly Line[]; readonly none?: string }) => (
  <List dense disablePadding>
    {lines.length === 0 && none && <ListItem disableGutters>{none}</ListItem>}
    {lines.map(({ key, to, name, detail }) => (
      <ListItem key={key} disableGutters sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
        <MuiLink component={Link} to={to} sx={{ overflowWrap: "anywhere" }}>
          {name}
        </MuiLink>
        <span>{detail}</span>
      </ListItem>
    ))}
  </List>
);
