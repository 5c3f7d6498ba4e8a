import { Button, TextField } from "@mui/material";
import { useNotify } from "react-admin";
import { saveFile } from "../api/request";
import { Ask } from "./ask";
import { t } from "../texts";

interface Props {
  readonly title: string;
  readonly text: string;
  readonly value: string;
  /** The name of a file that it can be saved to. */
  readonly file?: string;
  readonly onClose: () => void;
}

/** Shows a secret this once; it is stored nowhere in the browser. */
export function ShownOnce({ title, text, value, file, onClose }: Props) {
  const notify = useNotify();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value).catch(() => {
      throw new Error(t("secret.not_copied"));
    });
    notify("secret.copied", { type: "success" });
  };
  return (
    <Ask {...{ title, label: t("secret.copy"), act: copy, isFinal: false, onClose }}>
      {text}
      <TextField
        {...{ fullWidth: true, multiline: true, margin: "normal", label: title, value }}
        onFocus={({ target }) => target.select()}
        slotProps={{ input: { readOnly: true } }}
      />
      {file !== undefined && (
        <Button onClick={() => saveFile(file, new Blob([`${value}\n`]))}>{t("secret.save")}</Button>
      )}
    </Ask>
  );
}
