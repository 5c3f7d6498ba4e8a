import { Alert, Box, Button, Paper, TextField, Typography } from "@mui/material";
import { useEffect, useState, type FormEvent } from "react";
import { useLogin, useTranslate } from "react-admin";
import { useNavigate } from "react-router-dom";
import { problemOf } from "../api/problem";
import { session } from "./session";

/** The page to sign in, and nothing else. */
export function SignIn() {
  const translate = useTranslate();
  const navigate = useNavigate();
  const login = useLogin();
  const { fault, isBusy, submit } = useSubmit((fields) =>
    login({ email: fields.get("email"), password: fields.get("password") }),
  );
  useEffect(() => {
    // Signed in in another tab: this one goes on, too.
    const look = (): void => void (session.login && navigate("/"));
    session.addEventListener("change", look);
    return () => session.removeEventListener("change", look);
  }, [navigate]);

  return (
    <Box component="main" sx={{ display: "grid", placeItems: "center", minHeight: "100vh", p: 2 }}>
      <Paper
        component="form"
        onSubmit={submit}
        sx={{ display: "grid", gap: 2, p: 4, width: "100%", maxWidth: 360 }}
      >
        <Typography component="h1" variant="h1">
          {translate("shop.title")}
        </Typography>
        <TextField
          name="email"
          type="email"
          label={translate("shop.sign_in.email")}
          autoComplete="username"
          autoFocus
        />
        <TextField
          name="password"
          type="password"
          label={translate("shop.sign_in.password")}
          autoComplete="current-password"
        />
        {fault && <Alert severity="error">{fault}</Alert>}
        <Button type="submit" variant="contained" disabled={isBusy}>
          {translate("shop.sign_in.submit")}
        </Button>
      </Paper>
    </Box>
  );
}

/** Submits a small form of its own: what went wrong, and whether it is under way. */
export function useSubmit(work: (fields: FormData, form: HTMLFormElement) => Promise<unknown>) {
  const [fault, setFault] = useState("");
  const [isBusy, setBusy] = useState(false);
  const submit = (event: FormEvent<HTMLElement>): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    setBusy(true);
    setFault("");
    work(new FormData(form), form)
      .catch((problem: unknown) => setFault(problemOf(problem).message))
      .finally(() => setBusy(false));
  };
  return { fault, isBusy, submit };
}
