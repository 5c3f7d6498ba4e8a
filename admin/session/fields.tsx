import { Button, TextField, type TextFieldProps } from "@mui/material";
import { useState } from "react";
import { t } from "../texts";

/** Is there if the last sign-in in this browser took a code. */
const USED = "tea-shop.code";

/** Notes whether a code was used, so that its field is there at once the next time. */
export function rememberCode(isUsed: boolean): void {
  if (isUsed) localStorage.setItem(USED, "used");
  else localStorage.removeItem(USED);
}

/** The field of a one-time code or recovery code. */
export const CodeField = (props: Pick<TextFieldProps, "autoFocus" | "helperText">) => (
  <TextField
    {...{ name: "code", label: t("sign_in.code"), helperText: t("sign_in.code_help"), ...props }}
    autoComplete="one-time-code"
    slotProps={{ htmlInput: { autoCapitalize: "none", spellCheck: false } }}
  />
);

/** The same on demand: nothing tells whether the account needs one. */
export function CodeOnDemand() {
  const [isAsked, setAsked] = useState(false);
  if (isAsked || localStorage.getItem(USED) !== null) return <CodeField autoFocus={isAsked} />;
  return (
    <Button onClick={() => setAsked(true)} sx={{ justifySelf: "start" }}>
      {t("sign_in.use_code")}
    </Button>
  );
}

/** Sends the form to work with a passkey, as its field `way` says. */
export const PasskeyButton = ({ label }: { readonly label: string }) => (
  <Button type="submit" name="way" value="passkey" variant="outlined" formNoValidate>
    {label}
  </Button>
);
