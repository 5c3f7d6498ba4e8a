import { Alert, Box, Button, List, ListItem, Paper } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Loading } from "react-admin";
import { Link } from "react-router-dom";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { Status } from "../orders/pages";
import { amount, count, dayOf, startOf, time } from "../parts/format";
import { listOf, PageHead, pageOf, Section, To } from "../parts/page";
import type { OverviewQuery } from "../api/generated/graphql";
import { t } from "../texts";
import { SalesPlot } from "./sales-plot";

const OverviewDocument = graphql(`
  query Overview($from: Date!, $to: Date!, $zone: String!, $since: DateTime!, $now: DateTime!) {
    waiting: orderTotals(filter: { status: PENDING }) { orders amount }
    salesByDay(from: $from, to: $to, timeZone: $zone) { date orders amount }
    bestSellers(from: $since, before: $now, first: 5) { data { productId productName quantity amount } }
    offSale: products(pageSize: 5, filter: { isActive: false }) { data { id name } meta { total } }
    webhookEndpoints { id url isActive failingSince disabledBecause }
    newest: ordersConnection(first: 5) { edges { node { id customerEmail totalAmount status createdAt } } }
  }
`);

/** Days that are shown, before which as many are compared. */
const DAYS = 30;

function read(signal: AbortSignal): Promise<OverviewQuery> {
  const now = new Date();
  const to = dayOf(now);
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const [from, since] = [dayOf(startOf(to, 1 - 2 * DAYS)), startOf(to, 1 - DAYS).toISOString()];
  return request(OverviewDocument, { from, to, zone, since, now: now.toISOString() }, signal);
}

export function Overview() {
  const { data, error } = useQuery({
    ...{ queryKey: ["overview"], refetchInterval: 60_000 },
    queryFn: ({ signal }) => read(signal),
  });
  return (
    <>
      <PageHead title={t("page.overview")}>
        <Button component={Link} to="/products/create">
          {t("products.new")}
        </Button>
      </PageHead>
      {error && <Alert severity="error">{error.message}</Alert>}
      {data ? <Panels data={data} /> : !error && <Loading />}
    </>
  );
}

function Panels({ data }: { readonly data: OverviewQuery }) {
  const { waiting, offSale, webhookEndpoints, bestSellers, newest } = data;
  const failing = webhookEndpoints.filter(
    ({ failingSince, disabledBecause }) => failingSince !== null || disabledBecause !== null,
  );
  const number = (kind: string, total: number): string =>
    t(`${kind}.count`, { smart_count: total, count: count(total) });
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { md: "repeat(6, minmax(0, 1fr))" } }}>
      <Panel title="orders.status.PENDING" width={2}>
        <To to={listOf("orders", { statuses: ["PENDING"] })}>{number("orders", waiting.orders)}</To>
        <div>{amount(waiting.amount)}</div>
      </Panel>
      <Panel title="products.off" width={2}>
        <To to={listOf("products", { sale: "off" })}>{number("products", offSale.meta.total)}</To>
        <Lines lines={offSale.data.map(({ id, name }) => [pageOf("products", id), name])} />
      </Panel>
      <Panel title="overview.failing" width={2}>
        <Lines
          lines={failing.map(({ id, url, ...each }) => [
            pageOf("webhooks", id),
            url,
            time(each.failingSince),
          ])}
        />
        {failing.length === 0 && t("overview.none_failing")}
      </Panel>
      <Panel title="overview.sales" width={6}>
        <SalesPlot days={data.salesByDay} shown={DAYS} />
      </Panel>
      <Panel title="overview.best" width={3}>
        <Lines
          lines={bestSellers.data.map((best) => [
            ...([pageOf("products", best.productId), best.productName] as const),
            `${count(best.quantity)} · ${amount(best.amount)}`,
          ])}
        />
      </Panel>
      <Panel title="overview.newest" width={3}>
        <Lines
          lines={newest.edges.map(({ node }) => [
            pageOf("orders", node.id),
            `${node.id}, ${node.customerEmail}`,
            `${amount(node.totalAmount)} · ${time(node.createdAt)}`,
            <Status key="status" status={node.status} />,
          ])}
        />
      </Panel>
    </Box>
  );
}

type PanelProps = Readonly<{ title: string; width: number; children: ReactNode }>;

const Panel = ({ title, width, children }: PanelProps) => (
  <Paper variant="outlined" sx={{ p: 2, minWidth: 0, gridColumn: { md: `span ${width}` } }}>
    <Section title={t(title)}>{children}</Section>
  </Paper>
);

type Line = readonly [to: string, name: string, ...details: ReactNode[]];

const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <List dense disablePadding>
    {lines.map(([to, name, ...details]) => (
      <ListItem key={to} disableGutters sx={{ flexWrap: "wrap", gap: 1 }}>
        <To to={to}>{name}</To>
        {details}
      </ListItem>
    ))}
  </List>
);
