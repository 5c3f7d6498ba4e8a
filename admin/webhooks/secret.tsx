import { TextField } from "@mui/material";
import { useNotify, useTranslate } from "react-admin";
import { Ask } from "../parts/ask";

interface Props {
  readonly secret: string;
  readonly onClose: () => void;
}

/** Shows the secret of an endpoint this once; it is kept nowhere in the browser. */
export function Secret({ secret, onClose }: Props) {
  const translate = useTranslate();
  const notify = useNotify();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(secret).catch(() => {
      throw new Error(translate("shop.webhooks.not_copied"));
    });
    notify("shop.webhooks.copied", { type: "success" });
  };
  const label = translate("shop.webhooks.secret");
  return (
    <Ask
      {...{ onClose, title: label, label: translate("shop.webhooks.copy") }}
      isFinal={false}
      act={copy}
    >
      {translate("shop.webhooks.secret_text")}
      <TextField
        {...{ fullWidth: true, margin: "normal", label, value: secret }}
        onFocus={({ target }) => target.select()}
        slotProps={{ input: { readOnly: true } }}
      />
    </Ask>
  );
}
