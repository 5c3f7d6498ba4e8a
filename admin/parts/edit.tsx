import { Alert, Button, Stack } from "@mui/material";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { EditBase, Loading, useCloseNotification, useDataProvider, useGetOne } from "react-admin";
import { useNotify, useRedirect, useRefresh, useResourceContext, WithRecord } from "react-admin";
import type { RaRecord } from "react-admin";
import { changesOf, sources } from "../api/data-provider";
import type { AuditSubject } from "../api/generated/graphql";
import type { Failure } from "../api/post";
import { undoLast } from "../history/history";
import { t } from "../texts";
import { Ask, AskButton, useAct } from "./ask";
import { Choice, choicesOf } from "./filters";
import { FormCard } from "./form";
import { textOf } from "./format";
import { PageHead, SmallTable } from "./page";

export interface Versioned extends RaRecord {
  readonly id: number;
  readonly version: number;
}

interface Props<Thing> {
  /** Whose changes can be undone; nothing, where they can't. */
  readonly subject?: AuditSubject;
  readonly nameOf: (thing: Thing) => string;
  readonly head?: (thing: Thing) => ReactNode;
  readonly form: ReactNode;
  readonly children: (thing: Thing) => ReactNode;
}

const UNDO_TIME = 10_000;

/** Edits a thing: sends what differs, offers to undo it, and asks by field where somebody else was faster. */
export function EditForm<Thing extends Versioned>(props: Props<Thing>) {
  const { subject, nameOf, head, form, children } = props;
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [conflict, setConflict] = useState<{ wanted: Thing; seen: Thing }>();
  const saved = (thing: Thing, seen: Thing): void => {
    if (thing.version === seen.version) return; // nothing was different
    void queryClient.invalidateQueries({ queryKey: ["picker"] });
    if (subject) notify(<Saved {...{ thing, subject }} />, { autoHideDuration: UNDO_TIME });
    else notify("action.saved", { type: "success" });
  };
  const succeeded = (thing: Thing, sent: { previousData: Thing }): void =>
    saved(thing, sent.previousData);
  const refused = (fault: unknown, sent: { data: Thing; previousData: Thing }): void => {
    const { message, reasons = [], body } = fault as Partial<Failure>;
    if (reasons.some(({ code }) => code === "VERSION"))
      setConflict({ wanted: sent.data, seen: sent.previousData });
    else if (Object.keys(body?.errors ?? {}).length === 0) notify(message ?? "", { type: "error" });
  };
  return (
    <EditBase
      {...{ redirect: false, mutationMode: "pessimistic", disableAuthentication: true }}
      mutationOptions={{ onSuccess: succeeded, onError: refused } as never}
    >
      <WithRecord<Thing>
        empty={<Loading />}
        render={(thing) => (
          <>
            <PageHead title={nameOf(thing)}>
              <DeleteButton thing={thing} name={nameOf(thing)} />
            </PageHead>
            {head?.(thing)}
            <FormCard>{form}</FormCard>
            <Stack spacing={3} sx={{ mt: 3, maxWidth: 900 }}>
              {children(thing)}
            </Stack>
          </>
        )}
      />
      {conflict && (
        <Conflict {...conflict} onClose={() => setConflict(undefined)} onSaved={saved} />
      )}
    </EditBase>
  );
}

function DeleteButton({ thing: { id, version }, name }: { thing: Versioned; name: string }) {
  const resource = useResourceContext() ?? "";
  const notify = useNotify();
  const redirect = useRedirect();
  const act = async (): Promise<void> => {
    await sources[resource]?.remove?.(id, version);
    notify(t("action.deleted", { name }), { type: "success" });
    redirect("list", resource);
  };
  return (
    <AskButton
      {...{ act, title: t("action.delete_title", { name }), label: t("ra.action.delete") }}
    >
      {t(`${resource}.delete_text`, { _: "" })}
    </AskButton>
  );
}

function Saved({ thing, subject }: { readonly thing: Versioned; readonly subject: AuditSubject }) {
  const act = useAct();
  const close = useCloseNotification();
  const undo = (): void => {
    close();
    act(undoLast({ subject, id: thing.id, version: thing.version }), "history.undone");
  };
  const action = (
    <Button color="inherit" onClick={undo}>
      {t("action.undo")}
    </Button>
  );
  return (
    <Alert severity="success" action={action}>
      {t("action.saved")}
    </Alert>
  );
}

interface ConflictProps<Thing> {
  readonly wanted: Thing;
  readonly seen: Thing;
  readonly onClose: () => void;
  readonly onSaved: (thing: Thing, seen: Thing) => void;
}

/** Shows by field what one saw, what is there now, and what one wants, and lets one decide. */
function Conflict<Thing extends Versioned>(props: ConflictProps<Thing>) {
  const { wanted, seen, onClose, onSaved } = props;
  const refresh = useRefresh();
  const resource = useResourceContext() ?? "";
  const provider = useDataProvider();
  const { fields = [] } = sources[resource] ?? {};
  const mine = Object.keys(changesOf(wanted, seen, fields));
  const [taken, setTaken] = useState(mine);
  const { data: now } = useGetOne<Thing>(resource, { id: seen.id, meta: { asOf: wanted } });
  if (!now) return null;
  const theirs = Object.keys(changesOf(now, seen, fields));
  const save = async (): Promise<void> => {
    const data = Object.fromEntries(taken.map((field) => [field, wanted[field] as unknown]));
    const change = { id: seen.id, data: data as never, previousData: now };
    const { data: thing } = await provider.update<Thing>(resource, change);
    onSaved(thing, now);
    refresh();
  };
  const title = t("conflict.title");
  return (
    <Ask {...{ title, label: t("conflict.save"), act: save, onClose, isFinal: false }}>
      <SmallTable
        label={title}
        headings={["field", "seen", "now", "wanted"].map((key) => `conflict.${key}`)}
        rows={fields
          .filter((field) => mine.includes(field) || theirs.includes(field))
          .map((field) => [
            ...[t(`field.${field}`), textOf(seen[field]), textOf(now[field])],
            mine.includes(field) ? textOf(wanted[field]) : "–",
          ])}
      />
      <Choice
        {...{ label: t("conflict.wanted"), choices: choicesOf("field", mine), value: taken }}
        onChange={setTaken}
      />
    </Ask>
  );
}
