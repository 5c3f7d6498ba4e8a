import { Alert, Box, Button, TextField, Typography } from "@mui/material";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useNotify, useRecordContext, useRedirect, useRefresh, useTranslate } from "react-admin";
import { problemOf } from "../api/problem";
import { AskButton } from "../parts/ask-button";
import { EditForm } from "../parts/edit-form";
import { count, dayOf, startOf } from "../parts/format";
import { PageTitle } from "../parts/page-title";
import { Deliveries } from "./deliveries";
import { EndpointFields } from "./fields";
import { State } from "./list";
import { Secret } from "./secret";
import * as source from "./source";

/** An endpoint: what it gets, whether that arrives, and what can be done. */
export default function EndpointPage() {
  const endpoint = (Part: (props: Props) => ReactNode) => <Endpoint part={Part} />;
  return (
    <EditForm fields={source.FIELDS} head={endpoint(Head)} form={<EndpointFields />}>
      {endpoint(Deliveries)}
    </EditForm>
  );
}

interface Props {
  readonly endpoint: source.Endpoint;
}

function Endpoint({ part: Part }: { readonly part: (props: Props) => ReactNode }) {
  const endpoint = useRecordContext<source.Endpoint>();
  return endpoint && <Part endpoint={endpoint} />;
}

function Head({ endpoint }: Props) {
  const { id, url, isActive } = endpoint;
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const redirect = useRedirect();
  const [secret, setSecret] = useState<string>();
  const turn = (): void => {
    source
      .change(endpoint, { isActive: !isActive })
      .catch((fault: unknown) => notify(problemOf(fault).message, { type: "error" }))
      .finally(refresh);
  };
  return (
    <>
      <PageTitle>{url}</PageTitle>
      <Typography color="text.secondary">
        <State endpoint={endpoint} />
      </Typography>
      <Test key={id} endpoint={endpoint} />
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, my: 1 }}>
        <Button onClick={turn}>
          {translate(isActive ? "shop.webhooks.turn_off" : "shop.webhooks.turn_on")}
        </Button>
        <SendAllAgain endpoint={endpoint} />
        <AskButton
          label={translate("shop.webhooks.new_secret")}
          title={translate("shop.webhooks.new_secret_title", { url })}
          isFinal={false}
          act={async () => setSecret(await source.newSecret(id))}
        >
          {translate("shop.webhooks.new_secret_text")}
        </AskButton>
        <AskButton
          label={translate("shop.action.delete")}
          title={translate("shop.action.delete_title", { name: url })}
          isFinal
          act={async () => {
            await source.deleteEndpoint(id);
            redirect("list", "webhooks");
          }}
        >
          {translate("shop.webhooks.delete_text")}
        </AskButton>
      </Box>
      {secret !== undefined && <Secret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

/** Sends a test event, waits for what comes of it, and says so. */
function Test({ endpoint: { id } }: Props) {
  const translate = useTranslate();
  const refresh = useRefresh();
  const [outcome, setOutcome] = useState<{ readonly isGood: boolean; readonly text: string }>();
  const [isWaiting, setWaiting] = useState(false);
  const left = useRef(new AbortController());
  useEffect(() => {
    const controller = (left.current = new AbortController());
    return () => controller.abort();
  }, []);
  const shown = (found?: source.Try): { isGood: boolean; text: string } => {
    if (!found) return { isGood: false, text: translate("shop.webhooks.test_waits") };
    const { status, fault, answer } = found;
    const key = status === null ? "shop.webhooks.no_answer" : "shop.webhooks.answered";
    const text = [translate(key, { status }), fault, answer].filter(Boolean).join(": ");
    return { isGood: status !== null && status < 300 && fault === null, text };
  };
  const send = (): void => {
    const { signal } = left.current;
    setWaiting(true);
    setOutcome(undefined);
    source
      .test(id, signal)
      .then(shown, (fault: unknown) => ({ isGood: false, text: problemOf(fault).message }))
      .then(
        (told) => {
          if (signal.aborted) return;
          setOutcome(told);
          setWaiting(false);
          refresh();
        },
        () => undefined,
      );
  };
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center", my: 1 }}>
      <Button variant="contained" disabled={isWaiting} onClick={send}>
        {translate("shop.webhooks.test")}
      </Button>
      <div role="status">
        {isWaiting && translate("shop.webhooks.testing")}
        {outcome && (
          <Alert severity={outcome.isGood ? "success" : "warning"} sx={{ py: 0 }}>
            {outcome.text}
          </Alert>
        )}
      </div>
    </Box>
  );
}

/** Sends all events of some days again. */
function SendAllAgain({ endpoint: { id, url } }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const refresh = useRefresh();
  const [from, setFrom] = useState(() => dayOf(new Date()));
  const [to, setTo] = useState(from);
  const day = (key: string, value: string, set: (day: string) => void) => (
    <TextField
      {...{ type: "date", label: translate(`shop.period.${key}`), value, margin: "normal" }}
      onChange={({ target }) => set(target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
  const send = async (): Promise<void> => {
    if (from === "" || to === "") throw new Error(translate("shop.list.no_date"));
    const number = await source.sendAllAgain(id, startOf(from), startOf(to, 1));
    const messageArgs = { smart_count: number, count: count(number) };
    notify("shop.webhooks.sent_again", { messageArgs });
    refresh();
  };
  return (
    <AskButton
      label={translate("shop.webhooks.send_all_again")}
      title={translate("shop.webhooks.send_all_title", { url })}
      isFinal={false}
      act={send}
    >
      {translate("shop.webhooks.send_all_text")}
      <Box sx={{ display: "flex", gap: 1 }}>
        {day("from", from, setFrom)}
        {day("to", to, setTo)}
      </Box>
    </AskButton>
  );
}
