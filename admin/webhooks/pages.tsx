import { Alert, Button, Stack, TextField } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { BooleanInput, CheckboxGroupInput, required, TextInput } from "react-admin";
import { useNotify, useRedirect, useRefresh } from "react-admin";
import type { DeliveryState } from "../api/generated/graphql";
import type { Failure } from "../api/post";
import { AskButton, useAct, useLeaving } from "../parts/ask";
import { EditForm } from "../parts/edit";
import { Choice, choicesOf } from "../parts/filters";
import { FormCard } from "../parts/form";
import { dayOf, time, timesOf } from "../parts/format";
import { ListPage, type Column } from "../parts/list";
import { PageHead, Row, Section, SmallTable, To } from "../parts/page";
import { ShownOnce } from "../parts/shown-once";
import { EVENT_TYPES, eventName, kindName, t } from "../texts";
import * as source from "./source";
import type { Endpoint } from "./source";

const ALL = t("webhooks.all_types");
const columns: readonly Column<Endpoint>[] = [
  { key: "url" },
  { key: "description" },
  { key: "types", render: ({ types }) => types.map(eventName).join(", ") || ALL },
  { key: "state", render: stateOf },
];

export const list = () => (
  <ListPage<Endpoint>
    {...{ columns, canCreate: true, nameOf: ({ url }) => url }}
    actions={<To to="/events">{kindName("events")}</To>}
  />
);

const EMPTY = { url: "", description: "", types: [], includeLookup: false };

/** Creates an endpoint, and shows its secret, which is stored nowhere. */
export function create() {
  const redirect = useRedirect();
  const notify = useNotify();
  const [created, setCreated] = useState<{ readonly id: number; readonly secret: string }>();
  const save = (fields: object): Promise<unknown> =>
    source.createEndpoint(fields as typeof EMPTY).then(setCreated, (fault: unknown) => {
      const { message, body } = fault as Failure;
      notify(message, { type: "error" });
      return body.errors;
    });
  return (
    <>
      <PageHead title={t("webhooks.new")} />
      <FormCard defaultValues={EMPTY} onSubmit={save} warnWhenUnsavedChanges={false}>
        <EndpointFields />
      </FormCard>
      {created && (
        <Secret secret={created.secret} onClose={() => redirect("edit", "webhooks", created.id)} />
      )}
    </>
  );
}

type Props = Readonly<{ endpoint: Endpoint }>;

export const edit = () => (
  <EditForm<Endpoint>
    {...{ nameOf: ({ url }) => url, form: <EndpointFields /> }}
    head={(endpoint) => <Head endpoint={endpoint} />}
  >
    {(endpoint) => <Deliveries endpoint={endpoint} />}
  </EditForm>
);

function Head({ endpoint }: Props) {
  const { id, url, isActive, version } = endpoint;
  const act = useAct();
  const [secret, setSecret] = useState<string>();
  const turn = () => source.webhooks.change(id, { isActive: !isActive }, version);
  return (
    <>
      <p>{stateOf(endpoint)}</p>
      <Test key={id} endpoint={endpoint} />
      <Row>
        <Button onClick={() => act(turn(), "action.saved")}>
          {t(isActive ? "webhooks.turn_off" : "webhooks.turn_on")}
        </Button>
        <SendAllAgain endpoint={endpoint} />
        <AskButton
          {...{ label: t("webhooks.new_secret"), title: t("webhooks.new_secret_title", { url }) }}
          {...{ isFinal: false, act: async () => setSecret(await source.newSecret(id)) }}
        >
          {t("webhooks.new_secret_text")}
        </AskButton>
      </Row>
      {secret !== undefined && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

/** Sends a test event, waits for what comes of it, and says so. */
function Test({ endpoint: { id } }: Props) {
  const refresh = useRefresh();
  const leaving = useLeaving();
  const [outcome, setOutcome] = useState<source.Outcome>();
  const [isWaiting, setWaiting] = useState(false);
  const test = async (): Promise<void> => {
    setWaiting(true);
    setOutcome(undefined);
    const found = await source.test(id, leaving);
    if (leaving.aborted) return;
    setOutcome(found);
    setWaiting(false);
    refresh();
  };
  return (
    <Row>
      <Button variant="contained" disabled={isWaiting} onClick={() => void test()}>
        {t("webhooks.test")}
      </Button>
      <div role="status">
        {isWaiting && t("webhooks.testing")}
        {outcome && (
          <Alert severity={outcome.isGood ? "success" : "warning"} sx={{ py: 0 }}>
            {outcome.text}
          </Alert>
        )}
      </div>
    </Row>
  );
}

function SendAllAgain({ endpoint: { id, url } }: Props) {
  const act = useAct();
  const [days, setDays] = useState({ from: dayOf(new Date()), to: dayOf(new Date()) });
  const send = async (): Promise<void> => {
    const number = await source.sendAllAgain(id, timesOf(days));
    act(Promise.resolve(), t("webhooks.sent_again", { smart_count: number }));
  };
  return (
    <AskButton
      {...{ label: t("webhooks.send_all_again"), title: t("webhooks.send_all_title", { url }) }}
      {...{ isFinal: false, act: send }}
    >
      {t("webhooks.send_all_text")}
      <Stack direction="row" spacing={1}>
        {(["from", "to"] as const).map((key) => (
          <TextField
            key={key}
            {...{ type: "date", label: t(`period.${key}`), value: days[key], margin: "normal" }}
            onChange={({ target }) => setDays({ ...days, [key]: target.value })}
            slotProps={{ inputLabel: { shrink: true } }}
          />
        ))}
      </Stack>
    </AskButton>
  );
}

function stateOf({ isActive, disabledBecause, failingSince }: Endpoint): string {
  if (!isActive && disabledBecause !== null)
    return t("webhooks.off_because", { reason: disabledBecause });
  if (!isActive) return t("webhooks.off");
  return t(failingSince ? "webhooks.failing" : "webhooks.on", { since: time(failingSince) });
}

const choices = EVENT_TYPES.map((id) => ({ id, name: eventName(id) }));

const EndpointFields = () => (
  <>
    <TextInput source="url" type="url" validate={required()} helperText={false} />
    <TextInput source="description" helperText={false} />
    <CheckboxGroupInput
      {...{ source: "types", choices }}
      helperText="webhooks.none_is_all"
      sx={{ "& .MuiFormGroup-root": { display: "grid", gridTemplateColumns: { md: "1fr 1fr" } } }}
    />
    <BooleanInput source="includeLookup" helperText={false} />
  </>
);

/** Shows the secret of an endpoint. */
const Secret = (props: { readonly secret: string; readonly onClose: () => void }) => (
  <ShownOnce
    {...{ title: t("webhooks.secret"), text: t("webhooks.secret_text") }}
    {...{ value: props.secret, onClose: props.onClose }}
  />
);

const LOOK_EVERY = 5000;

/** What an endpoint gets and got, newest first, with each try and what came back. */
function Deliveries({ endpoint: { id, version } }: Props) {
  const act = useAct();
  const [state, setState] = useState<DeliveryState>();
  const { data: deliveries = [], refetch } = useQuery({
    queryKey: ["webhooks", "deliveries", id, version, state],
    queryFn: async ({ signal }) => (await source.deliveriesOf(id, state, signal)).deliveries,
    refetchInterval: ({ state: { data } }) =>
      (data ?? []).some((delivery) => delivery.state === "WAITING") && LOOK_EVERY,
  });
  const row = ({ id: key, event, state: is, nextAttemptAt, tries }: source.Delivery) => {
    const name = [eventName(event.type), event.subjectId].filter(Boolean).join(" ");
    const next = nextAttemptAt === null ? "" : t("webhooks.next", { at: time(nextAttemptAt) });
    const again = (): void => act(source.sendAgain(key).finally(refetch), "webhooks.waits_again");
    return [
      `${name}\n${time(event.at)}`,
      `${t(`webhooks.state.${is}`)}\n${next}`,
      tries.map((each) => `${time(each.at)}: ${source.outcomeOf(each).text}`).join("\n"),
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
