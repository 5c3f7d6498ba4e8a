import { Alert, Box, Button, Paper } from "@mui/material";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import {
  EditBase,
  Form,
  Loading,
  SaveButton,
  useCloseNotification,
  useNotify,
  useRecordContext,
  useRefresh,
  useTranslate,
  type RaRecord,
} from "react-admin";
import { isConflict, problemOf } from "../api/problem";
import type { AuditSubject } from "../api/generated/graphql";
import { undoLast } from "../history/undo";
import { Conflict } from "./conflict";
import { FocusOnFault } from "./fields";

interface Props {
  /** Whose changes can be undone; nothing, where they can't. */
  readonly subject?: AuditSubject;
  readonly fields: readonly string[];
  /** What stands above the form. */
  readonly head: ReactNode;
  readonly form: ReactNode;
  readonly children: ReactNode;
}

/** Milliseconds in which "Undo" is offered. */
const UNDO_TIME = 10_000;

/** Edits a thing: sends what differs, offers to undo it, and asks by field where somebody else was faster. */
export function EditForm({ subject, fields, head, form, children }: Props) {
  const notify = useNotify();
  const refresh = useRefresh();
  const queryClient = useQueryClient();
  const [conflict, setConflict] = useState<{ wanted: RaRecord; seen: RaRecord }>();

  const saved = (thing: RaRecord, seen: RaRecord): void => {
    if (thing["version"] === seen["version"]) return; // nothing was different
    if (!subject) {
      notify("shop.action.saved", { type: "success" });
      return;
    }
    void queryClient.invalidateQueries({ queryKey: ["picker"] });
    notify(
      <Saved
        undo={async () => {
          await undoLast(subject, Number(thing.id), thing["version"] as number);
          refresh();
        }}
      />,
      { autoHideDuration: UNDO_TIME },
    );
  };
  const refused = (
    fault: unknown,
    { data, previousData }: { data: RaRecord; previousData: RaRecord },
  ): void => {
    if (isConflict(fault)) setConflict({ wanted: data, seen: previousData });
    else if (Object.keys((fault as { body?: { errors?: object } }).body?.errors ?? {}).length === 0)
      notify(problemOf(fault).message, { type: "error" });
  };
  return (
    <EditBase
      redirect={false}
      mutationMode="pessimistic"
      mutationOptions={{
        onSuccess: ((thing: RaRecord, { previousData }: { previousData: RaRecord }) =>
          saved(thing, previousData)) as never,
        onError: refused as never,
      }}
      disableAuthentication
    >
      <WhenThere>
        {head}
        <Form warnWhenUnsavedChanges disableInvalidFormNotification noValidate>
          <Paper variant="outlined" sx={{ p: 2, display: "grid", gap: 2, maxWidth: 640 }}>
            {form}
            <FocusOnFault />
            <Box>
              <SaveButton alwaysEnable icon={<></>} />
            </Box>
          </Paper>
        </Form>
        {children}
      </WhenThere>
      {conflict && (
        <Conflict
          {...conflict}
          fields={fields}
          onClose={() => setConflict(undefined)}
          onSaved={saved}
        />
      )}
    </EditBase>
  );
}

/** Nothing before the thing has come: what is typed meanwhile would be lost. */
function WhenThere({ children }: { readonly children: ReactNode }) {
  return useRecordContext() ? children : <Loading />;
}

/** Says that something is saved, and takes it back on request. */
function Saved({ undo }: { readonly undo: () => Promise<void> }) {
  const translate = useTranslate();
  const notify = useNotify();
  const close = useCloseNotification();
  const run = (): void => {
    close();
    undo().then(
      () => notify("shop.history.undone", { type: "success" }),
      (fault: unknown) => notify(problemOf(fault).message, { type: "error" }),
    );
  };
  return (
    <Alert
      severity="success"
      action={
        <Button color="inherit" onClick={run}>
          {translate("shop.action.undo")}
        </Button>
      }
    >
      {translate("shop.action.saved")}
    </Alert>
  );
}
