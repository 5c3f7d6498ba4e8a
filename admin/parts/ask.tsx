import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle } from "@mui/material";
import { useEffect, useId, useState, type ComponentProps, type ReactNode } from "react";
import { useNotify, useRefresh } from "react-admin";
import { t } from "../texts";

/** Is aborted when the component is left. */
export function useLeaving(): AbortSignal {
  const [controller] = useState(() => new AbortController());
  useEffect(() => () => controller.abort(), [controller]);
  return controller.signal;
}

/** Says how the work of a button ended, and reads the page again. */
export function useAct() {
  const notify = useNotify();
  const refresh = useRefresh();
  return (work: Promise<unknown>, done: string): void =>
    void work
      .then(
        () => notify(done, { type: "success" }),
        (fault: unknown) => notify((fault as Error).message, { type: "error" }),
      )
      .finally(refresh);
}

interface Asked {
  readonly title: string;
  /** What the button says that leads to the question, and, where it is not the same, what its own one says. */
  readonly label: string;
  readonly does?: string;
  readonly children: ReactNode;
  readonly isFinal?: boolean;
  /** What is said when it is done; then the page is read again. */
  readonly done?: string;
  /** Acts; the signal is aborted when the question is left meanwhile. */
  readonly act: (signal: AbortSignal) => Promise<unknown>;
}

/** Asks before something is done; what is final begins on "Go back". A refusal is shown here. */
export function Ask(props: Asked & { readonly onClose: () => void }) {
  const { title, children, label, does = label, isFinal = true, done, onClose, act } = props;
  const notify = useNotify();
  const refresh = useRefresh();
  const id = useId();
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const leaving = useLeaving();
  const run = async (): Promise<void> => {
    setBusy(true);
    setFault("");
    try {
      await act(leaving);
      if (done !== undefined) notify(done, { type: "success" });
      onClose();
    } catch (problem) {
      setFault((problem as Error).message);
    }
    setBusy(false);
    if (done !== undefined) refresh();
  };
  const color = isFinal ? "error" : "primary";
  return (
    <Dialog open onClose={onClose} maxWidth="md" aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogContent sx={{ whiteSpace: "pre-line" }}>
        {children} {isFinal && t("action.final")}
        {fault && <Alert severity="error">{fault}</Alert>}
      </DialogContent>
      <DialogActions>
        <Button autoFocus={isFinal} onClick={onClose}>
          {t("action.go_back")}
        </Button>
        <Button
          {...{ color, variant: "contained", autoFocus: !isFinal, disabled: isBusy }}
          onClick={() => void run()}
        >
          {does}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type ButtonProps = Asked & Pick<ComponentProps<typeof Button>, "variant" | "size" | "disabled">;

export function AskButton({ variant = "text", size = "medium", disabled, ...asked }: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const color = asked.isFinal === false ? "primary" : "error";
  return (
    <>
      <Button {...{ variant, size, disabled, color }} onClick={() => setOpen(true)}>
        {asked.label}
      </Button>
      {isOpen && <Ask {...asked} onClose={() => setOpen(false)} />}
    </>
  );
}
