import { Alert, TextField } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { AskButton } from "../parts/ask";
import { time } from "../parts/format";
import { SmallTable } from "../parts/page";
import { SmallForm } from "../session/small-form";
import { t } from "../texts";
import type { FactorProps } from "./factors";
import { addPasskey, endPasskey, passkeysOff, type SecondFactors } from "./source";

const HEADINGS = ["name", "created", "used", "end"].map((key) => `passkeys.${key}`);

export function Passkeys({ factors: { passkeys }, onChanged }: FactorProps) {
  const { data: off } = useQuery({ queryKey: ["account", "passkeys-off"], queryFn: passkeysOff });
  const row = ({ id, name, createdAt, lastUsedAt }: SecondFactors["passkeys"][number]) => [
    ...[name, time(createdAt), time(lastUsedAt)],
    <AskButton
      {...{ size: "small", label: t("passkeys.end"), title: t("passkeys.end_title", { name }) }}
      {...{ act: () => endPasskey(id).then(onChanged), done: "passkeys.ended" }}
    >
      {t("passkeys.end_text")}
    </AskButton>,
  ];
  return (
    <>
      <SmallTable label={t("passkeys.title")} headings={HEADINGS} rows={passkeys.map(row)} />
      {off && <Alert severity="info">{off}</Alert>}
      {off === null && (
        <SmallForm
          label={t("passkeys.add")}
          work={async ({ name = "" }, form) => {
            await addPasskey(name);
            form.reset();
            onChanged();
          }}
        >
          <TextField name="name" label={t("passkeys.name")} required />
        </SmallForm>
      )}
    </>
  );
}
