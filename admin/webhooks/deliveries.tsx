import { Box, Button } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { DeliveryState } from "../api/generated/graphql";
import { useAct } from "../parts/ask";
import { Choice, choicesOf } from "../parts/filters";
import { time } from "../parts/format";
import { Section, SmallTable } from "../parts/page";
import { eventName, t } from "../texts";
import { deliveriesOf, outcomeOf, sendAgain, type Delivery, type Endpoint } from "./source";

const LOOK_EVERY = 5000;

/** What an endpoint gets and got, newest first, with each try and what came back. */
export function Deliveries({ endpoint: { id, version } }: { readonly endpoint: Endpoint }) {
  const act = useAct();
  const [state, setState] = useState<DeliveryState>();
  const { data: deliveries = [], refetch } = useQuery({
    queryKey: ["webhooks", "deliveries", id, version, state],
    queryFn: async ({ signal }) => (await deliveriesOf(id, state, signal)).deliveries,
    refetchInterval: ({ state: { data } }) =>
      (data ?? []).some((delivery) => delivery.state === "WAITING") && LOOK_EVERY,
  });
  const row = ({ id: key, event, state: is, nextAttemptAt, tries }: Delivery) => {
    const name = [eventName(event.type), event.subjectId].filter(Boolean).join(" ");
    const next = nextAttemptAt === null ? "" : t("webhooks.next", { at: time(nextAttemptAt) });
    const again = (): void => act(sendAgain(key).finally(refetch), "webhooks.waits_again");
    return [
      lines(name, time(event.at)),
      lines(t(`webhooks.state.${is}`), next),
      lines(...tries.map((each) => `${time(each.at)}: ${outcomeOf(each).text}`)),
      <Button
        key="again"
        {...{ size: "small", "aria-label": t("webhooks.send_again_named", { name }) }}
        onClick={again}
      >
        {t("webhooks.send_again")}
      </Button>,
    ];
  };
  const title = t("webhooks.deliveries");
  return (
    <Section title={title}>
      <Choice
        {...{ isSingle: true, label: t("webhooks.delivery_state"), value: state ? [state] : [] }}
        choices={choicesOf("webhooks.state", ["WAITING", "DELIVERED", "GIVEN_UP"])}
        onChange={([next]) => setState(next as DeliveryState | undefined)}
      />
      <SmallTable
        label={title}
        headings={["webhooks.event", "field.status", "webhooks.tries", "webhooks.action"]}
        rows={deliveries.map(row)}
      />
    </Section>
  );
}

const lines = (...texts: string[]) =>
  texts.map((text, index) => (
    <Box key={index} sx={{ overflowWrap: "anywhere" }}>
      {text}
    </Box>
  ));
