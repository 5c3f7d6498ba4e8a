import {
  Alert,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogContentText,
  DialogTitle,
  TextField,
} from "@mui/material";
import { useSyncExternalStore } from "react";
import { useLogout, useTranslate } from "react-admin";
import { signIn } from "./auth-provider";
import { session } from "./session";
import { useSubmit } from "./sign-in";

const listen = (changed: () => void): (() => void) => {
  session.addEventListener("change", changed);
  return () => session.removeEventListener("change", changed);
};

/** Asks for the password over the page when the session has ended by itself; what waits for it goes on then. */
export function SignInAgain() {
  const translate = useTranslate();
  const logout = useLogout();
  const phase = useSyncExternalStore(listen, () => session.phase);
  const email = session.email ?? "";
  const { fault, isBusy, submit } = useSubmit((fields) =>
    signIn({ email, password: fields.get("password") as string }),
  );
  return (
    <Dialog
      open={phase === "expired"}
      aria-labelledby="again"
      slotProps={{ paper: { component: "form", onSubmit: submit } }}
    >
      <DialogTitle id="again">{translate("shop.sign_in.again")}</DialogTitle>
      <DialogContent>
        <DialogContentText>{translate("shop.sign_in.again_text", { email })}</DialogContentText>
        <input name="username" autoComplete="username" value={email} readOnly hidden />
        <TextField
          margin="normal"
          fullWidth
          autoFocus
          name="password"
          type="password"
          label={translate("shop.sign_in.password")}
          autoComplete="current-password"
        />
        {fault && <Alert severity="error">{fault}</Alert>}
      </DialogContent>
      <DialogActions>
        <Button onClick={() => void logout({}, undefined, false)}>
          {translate("shop.menu.sign_out")}
        </Button>
        <Button type="submit" variant="contained" disabled={isBusy}>
          {translate("shop.sign_in.submit")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
