import { Box, Button, Dialog, DialogActions, DialogTitle } from "@mui/material";
import { TextField, Typography } from "@mui/material";
import { useEffect, useSyncExternalStore } from "react";
import { useLogin, useLogout } from "react-admin";
import { useNavigate } from "react-router-dom";
import { t } from "../texts";
import { signIn } from "./auth-provider";
import { session } from "./session";
import { PasswordField, SmallForm, Username } from "./small-form";

/** The page to sign in, and nothing else. */
export function SignIn() {
  const navigate = useNavigate();
  const login = useLogin();
  // Signed in in another tab: this one goes on, too.
  useEffect(() => session.onChange(() => void (session.login && navigate("/"))), [navigate]);
  return (
    <Box component="main" sx={{ display: "grid", placeItems: "center", minHeight: "100vh", p: 2 }}>
      <SmallForm
        label={t("sign_in.submit")}
        work={({ email, password }) => login({ email, password })}
      >
        <Typography component="h1" variant="h1">
          {t("title")}
        </Typography>
        <TextField
          {...{ name: "email", type: "email", autoComplete: "username", autoFocus: true }}
          label={t("sign_in.email")}
        />
        <PasswordField />
      </SmallForm>
    </Box>
  );
}

/** Asks for the password over the page when the session has ended by itself; what waits for it goes on then. */
export function SignInAgain() {
  const logout = useLogout();
  const phase = useSyncExternalStore(session.onChange, () => session.phase);
  const email = session.email ?? "";
  return (
    <Dialog open={phase === "expired"} aria-labelledby="again">
      <DialogTitle id="again">{t("sign_in.again")}</DialogTitle>
      <SmallForm
        label={t("sign_in.submit")}
        work={({ password = "" }) => signIn({ email, password })}
      >
        <Typography>{t("sign_in.again_text", { email })}</Typography>
        <Username email={email} />
        <PasswordField autoFocus />
      </SmallForm>
      <DialogActions>
        <Button onClick={() => void logout({}, undefined, false)}>{t("menu.sign_out")}</Button>
      </DialogActions>
    </Dialog>
  );
}
