import { Button, Dialog, DialogActions, DialogTitle, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useNavigate } from "react-router-dom";
import { factors } from "../account/source";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { t } from "../texts";
import { confirmation } from "./confirmation";
import { CodeField, PasskeyButton } from "./fields";
import { answerTo } from "./passkeys";
import { session } from "./session";
import { PasswordField, SmallForm, Username } from "./small-form";

const StartConfirmation = graphql(`
  mutation StartConfirmation { startPasskeyConfirmation }
`);

const ConfirmIdentity = graphql(`
  mutation ConfirmIdentity($password: String, $code: String, $passkey: JSON) {
    confirmIdentity(password: $password, code: $code, passkey: $passkey)
  }
`);

const onChange = (act: () => void) => confirmation.on("change", act);

/** Asks over the page who somebody is; what waits for it goes on then. */
export function Confirm() {
  const isAsked = useSyncExternalStore(onChange, confirmation.isAsked);
  const navigate = useNavigate();
  useEffect(() => refuse, []);
  useEffect(
    () =>
      confirmation.on(
        "lead",
        () => void navigate("/account", { replace: true, state: { lacksFactor: true } }),
      ),
    [navigate],
  );
  return (
    <Dialog open={isAsked} onClose={refuse} aria-labelledby="confirm">
      <DialogTitle id="confirm">{t("confirm.title")}</DialogTitle>
      {isAsked && <Question />}
      <DialogActions>
        <Button onClick={refuse}>{t("action.go_back")}</Button>
      </DialogActions>
    </Dialog>
  );
}

const refuse = (): void => confirmation.settle(false);
const agree = (): void => confirmation.settle(true);

/** The password is taken only from who has no second factor. */
function Question() {
  const { data, error } = useQuery({ queryKey: ["account", "factors"], queryFn: factors });
  const [id] = useState(session.login?.id);
  // Who had to sign in again meanwhile has shown it.
  useEffect(
    () => session.onChange(() => session.login && session.login.id !== id && agree()),
    [id],
  );
  if (!data) return error && <Typography sx={{ px: 3 }}>{error.message}</Typography>;
  const { oneTimeCodes, passkeys } = data;
  const hasPasskey = passkeys.length > 0;
  const byPasskey = t("confirm.passkey");
  const isByPasskeyAlone = hasPasskey && !oneTimeCodes;
  return (
    <SmallForm
      label={isByPasskeyAlone ? byPasskey : t("confirm.submit")}
      work={({ password, code, way }) =>
        confirm(way === "passkey" || isByPasskeyAlone ? undefined : { password, code })
      }
      more={hasPasskey && oneTimeCodes && <PasskeyButton label={byPasskey} />}
    >
      <Typography>{t("confirm.text")}</Typography>
      <Username email={session.email} />
      {!hasPasskey && !oneTimeCodes && <PasswordField autoFocus />}
      {oneTimeCodes && <CodeField autoFocus />}
    </SmallForm>
  );
}

/** Confirms by what was typed, or else by a passkey. @throws Error in words */
async function confirm(typed?: { readonly password?: string; readonly code?: string }) {
  const shown = typed ?? {
    passkey: await answerTo((await request(StartConfirmation, {})).startPasskeyConfirmation),
  };
  const { confirmIdentity } = await request(ConfirmIdentity, shown);
  if (confirmIdentity) agree();
  // A token of a release before has no session to note it at: a new sign-in begins one.
  else await session.refused(session.login?.token ?? "");
}
