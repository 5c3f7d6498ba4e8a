import { Button, Dialog, DialogActions, DialogTitle, TextField, Typography } from "@mui/material";
import { useState } from "react";
import { useNotify, useRefresh } from "react-admin";
import { AskButton } from "../parts/ask";
import { Row } from "../parts/page";
import { ShownOnce } from "../parts/shown-once";
import { CodeField } from "../session/fields";
import { SmallForm } from "../session/small-form";
import { t } from "../texts";
import { Part } from "./part";
import { Passkeys } from "./passkeys";
import { QrCode } from "./qr-code";
import { EndOthers } from "./sessions";
import * as source from "./source";
import type { SecondFactors } from "./source";

export interface FactorProps {
  readonly factors: SecondFactors;
  /** Is called when a factor has begun or ended. */
  readonly onChanged: () => void;
}

/** What one shows beside the password. */
export function Factors() {
  const [isChanged, setChanged] = useState(false);
  const refresh = useRefresh();
  const onChanged = (): void => {
    setChanged(true);
    refresh();
  };
  return (
    <Part name="factors" read={source.factors}>
      {(factors) => (
        <>
          <OneTimeCodes {...{ factors, onChanged }} />
          <Passkeys {...{ factors, onChanged }} />
          {isChanged && <EndOthers onClose={() => setChanged(false)} />}
        </>
      )}
    </Part>
  );
}

function OneTimeCodes({ factors: { oneTimeCodes, recoveryCodesLeft }, onChanged }: FactorProps) {
  const notify = useNotify();
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string }>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  const start = (): void =>
    void source.startCodes().then(setSecret, (fault: unknown) => {
      notify((fault as Error).message, { type: "error" });
    });
  const confirm = async ({ code = "" }): Promise<void> => {
    setRecoveryCodes(await source.confirmCodes(code));
    setSecret(undefined);
  };
  const close = (): void => setSecret(undefined);
  return (
    <>
      <Row>
        {oneTimeCodes ? t("codes.on", { count: recoveryCodesLeft }) : t("codes.off")}
        <Button onClick={start}>{t(oneTimeCodes ? "codes.anew" : "codes.set_up")}</Button>
        {oneTimeCodes && (
          <AskButton
            {...{ label: t("codes.end"), title: t("codes.end_title"), done: "codes.ended" }}
            act={() => source.endCodes().then(onChanged)}
          >
            {t("codes.end_text")}
          </AskButton>
        )}
      </Row>
      {secret && (
        <Dialog open onClose={close} aria-labelledby="codes">
          <DialogTitle id="codes">{t("codes.set_up")}</DialogTitle>
          <SmallForm label={t("codes.confirm")} work={confirm}>
            <Typography>{t("codes.scan")}</Typography>
            <QrCode text={secret.uri} label={t("codes.qr")} />
            <TextField
              {...{ label: t("codes.secret"), value: secret.secret }}
              onFocus={({ target }) => target.select()}
              slotProps={{ input: { readOnly: true } }}
            />
            <CodeField autoFocus helperText="" />
          </SmallForm>
          <DialogActions>
            <Button onClick={close}>{t("action.go_back")}</Button>
          </DialogActions>
        </Dialog>
      )}
      {recoveryCodes && (
        <ShownOnce
          {...{ title: t("codes.recovery"), text: t("codes.recovery_text") }}
          {...{ value: recoveryCodes.join("\n"), file: "recovery-codes.txt" }}
          onClose={() => {
            setRecoveryCodes(undefined);
            onChanged();
          }}
        />
      )}
    </>
  );
}
