import { Button, Dialog, DialogActions, DialogTitle, TextField, Typography } from "@mui/material";
import { useEffect, useSyncExternalStore } from "react";
import { useLogin, useLogout } from "react-admin";
import { useNavigate } from "react-router-dom";
import { t } from "../texts";
import { signIn } from "./auth-provider";
import { CodeOnDemand, PasskeyButton } from "./fields";
import { Front } from "./front";
import { session } from "./session";
import { PasswordField, SmallForm, Username } from "./small-form";

/** The page to sign in, and nothing else. */
export function SignIn() {
  const navigate = useNavigate();
  const login = useLogin();
  // Signed in in another tab: this one goes on, too.
  useEffect(() => session.onChange(() => void (session.login && navigate("/"))), [navigate]);
  return (
    <Front title={t("title")}>
      <SmallForm label={t("sign_in.submit")} work={(fields) => login(fields)} more={byPasskey}>
        <TextField
          {...{ name: "email", type: "email", autoComplete: "username", autoFocus: true }}
          label={t("sign_in.email")}
        />
        <PasswordField />
        <CodeOnDemand />
      </SmallForm>
    </Front>
  );
}

const byPasskey = <PasskeyButton label={t("sign_in.passkey")} />;

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
        work={(fields) => signIn({ ...fields, email })}
        more={byPasskey}
      >
        <Typography>{t("sign_in.again_text", { email })}</Typography>
        <Username email={email} />
        <PasswordField autoFocus />
        <CodeOnDemand />
      </SmallForm>
      <DialogActions>
        <Button onClick={() => void logout({}, undefined, false)}>{t("menu.sign_out")}</Button>
      </DialogActions>
    </Dialog>
  );
}
