import { Alert, Button, Paper, TextField, type TextFieldProps } from "@mui/material";
import { useState, type FormEvent, type ReactNode } from "react";
import { t } from "../texts";

interface Props {
  readonly label: string;
  readonly work: (fields: Record<string, string>, form: HTMLFormElement) => Promise<unknown>;
  readonly children: ReactNode;
  /** Other buttons that send it. */
  readonly more?: ReactNode;
}

/** A form of a few fields about oneself; a refusal is shown above its button. */
export function SmallForm({ label, work, children, more }: Props) {
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = (event: FormEvent<HTMLElement>): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    setBusy(true);
    setFault("");
    const { submitter } = event.nativeEvent as SubmitEvent;
    work(Object.fromEntries(new FormData(form, submitter)) as Record<string, string>, form)
      .catch((problem: unknown) => setFault((problem as Error).message))
      .finally(() => setBusy(false));
  };
  return (
    <Paper
      {...{ component: "form", variant: "outlined", onSubmit: submit }}
      sx={{ display: "grid", gap: 2, p: 3, width: "100%", maxWidth: 420 }}
    >
      {children}
      {fault && <Alert severity="error">{fault}</Alert>}
      <Button type="submit" variant="contained" disabled={isBusy}>
        {label}
      </Button>
      {more}
    </Paper>
  );
}

export const PasswordField = ({ label = t("sign_in.password"), ...props }: TextFieldProps) => (
  <TextField
    {...{ type: "password", name: "password", autoComplete: "current-password", label, ...props }}
  />
);

/** Whose password is asked for, so that a password manager knows it. */
export const Username = ({ email = "" }: { readonly email: string | undefined }) => (
  <input name="username" autoComplete="username" value={email} readOnly hidden />
);
