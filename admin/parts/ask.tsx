import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
} from "@mui/material";
import { useState, type ReactNode } from "react";
import { useTranslate } from "react-admin";
import { problemOf } from "../api/problem";

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** What the button of the deed says. */
  readonly label: string;
  readonly isFinal?: boolean;
  readonly onClose: () => void;
  readonly act: () => Promise<unknown>;
}

/** Asks before a deed. It begins on "Go back"; a refusal is shown here. */
export function Ask({ title, children, label, isFinal = true, onClose, act }: Props) {
  const translate = useTranslate();
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const run = (): void => {
    setBusy(true);
    act()
      .then(onClose, (problem: unknown) => setFault(problemOf(problem).message))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby="ask" aria-describedby="ask-text">
      <DialogTitle id="ask">{title}</DialogTitle>
      <DialogContent>
        <DialogContentText component="div" id="ask-text">
          {children}
        </DialogContentText>
        {fault && (
          <DialogContentText role="alert" color="error">
            {fault}
          </DialogContentText>
        )}
      </DialogContent>
      <DialogActions>
        <Button autoFocus={isFinal} onClick={onClose}>
          {translate("shop.action.go_back")}
        </Button>
        <Button
          autoFocus={!isFinal}
          variant="contained"
          color={isFinal ? "error" : "primary"}
          disabled={isBusy}
          onClick={run}
        >
          {label}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
