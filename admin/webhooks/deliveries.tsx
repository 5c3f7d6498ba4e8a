import { Box, Button, Typography } from "@mui/material";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useNotify, useTranslate } from "react-admin";
import { problemOf } from "../api/problem";
import type { DeliveryState } from "../api/generated/graphql";
import { Choice, FilterBar } from "../parts/filters";
import { time } from "../parts/format";
import { SmallTable } from "../parts/small-table";
import { deliveriesOf, eventKey, sendAgain, type Delivery, type Endpoint } from "./source";

const STATES: readonly DeliveryState[] = ["WAITING", "DELIVERED", "GIVEN_UP"];
/** Milliseconds after which deliveries that wait are looked at again. */
const LOOK_EVERY = 5000;

/** What an endpoint gets and got, newest first, with each try and what came back. */
export function Deliveries({ endpoint: { id, version } }: { readonly endpoint: Endpoint }) {
  const translate = useTranslate();
  const notify = useNotify();
  const [state, setState] = useState<DeliveryState>();
  const { data, fetchNextPage, hasNextPage, refetch } = useInfiniteQuery({
    queryKey: ["webhooks", "deliveries", id, version, state],
    queryFn: ({ pageParam, signal }) => deliveriesOf(id, state, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) =>
      page?.deliveries.pageInfo.hasNextPage ? page.deliveries.pageInfo.endCursor : null,
    refetchInterval: ({ state: { data: read } }) =>
      read?.pages[0]?.deliveries.edges.some(({ node }) => node.state === "WAITING")
        ? LOOK_EVERY
        : false,
  });
  const deliveries = data?.pages.flatMap((page) => page?.deliveries.edges ?? []) ?? [];
  const again = (delivery: string): void => {
    sendAgain(delivery)
      .then(() => notify("shop.webhooks.waits_again"))
      .catch((fault: unknown) => notify(problemOf(fault).message, { type: "error" }))
      .finally(() => void refetch());
  };
  const row = ({ id: key, event, state: is, nextAttemptAt, tries }: Delivery) => {
    const type = translate(eventKey(event.type), { _: event.type });
    const name = [type, event.subjectId].filter(Boolean).join(" ");
    const next = nextAttemptAt === null ? null : time(nextAttemptAt);
    return {
      key,
      cells: [
        <Two key="event" first={name} second={time(event.at)} />,
        <Two
          key="state"
          first={translate(`shop.webhooks.state.${is}`)}
          second={next && translate("shop.webhooks.next", { at: next })}
        />,
        tries.map(({ at, status, fault, answer }) => (
          <Box key={at} sx={{ overflowWrap: "anywhere" }}>
            {[time(at), status ?? translate("shop.webhooks.no_answer"), fault, answer]
              .filter(Boolean)
              .join(": ")}
          </Box>
        )),
        <Button
          key="again"
          size="small"
          onClick={() => again(key)}
          aria-label={translate("shop.webhooks.send_again_named", { name })}
        >
          {translate("shop.webhooks.send_again")}
        </Button>,
      ],
    };
  };
  const title = translate("shop.webhooks.deliveries");
  return (
    <Box component="section" sx={{ mt: 3 }}>
      <Typography component="h2" variant="h2" gutterBottom>
        {title}
      </Typography>
      <FilterBar>
        <Choice
          isSingle
          label={translate("shop.webhooks.delivery_state")}
          choices={STATES.map((value) => ({
            value,
            name: translate(`shop.webhooks.state.${value}`),
          }))}
          value={state ? [state] : []}
          onChange={([next]) => setState(next)}
        />
      </FilterBar>
      <SmallTable
        label={title}
        headings={["event", "state_name", "tries", "action"].map((key) =>
          translate(`shop.webhooks.${key}`),
        )}
        rows={deliveries.map(({ node }) => row(node))}
      />
      {hasNextPage && (
        <Button onClick={() => void fetchNextPage()}>{translate("shop.history.more")}</Button>
      )}
    </Box>
  );
}

const Two = ({ first, second }: { readonly first: string; readonly second: string | null }) => (
  <>
    {first}
    <Typography variant="body2" color="text.secondary">
      {second}
    </Typography>
  </>
);
