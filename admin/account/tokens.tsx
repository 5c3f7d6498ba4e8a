import { Checkbox, FormControlLabel, TextField } from "@mui/material";
import { useState } from "react";
import { useRefresh } from "react-admin";
import { AskButton } from "../parts/ask";
import { dayOf, startOf, time } from "../parts/format";
import { SmallTable } from "../parts/page";
import { ShownOnce } from "../parts/shown-once";
import { SmallForm } from "../session/small-form";
import { t } from "../texts";
import { Part } from "./part";
import { createToken, endToken, tokens, type ProgramToken } from "./source";

const HEADINGS = ["name", "rights", "created", "used", "until", "end"].map(
  (key) => `tokens.${key}`,
);

const inDays = (days: number): string => dayOf(startOf(dayOf(new Date()), days));

const row = ({ id, name, readOnly, createdAt, lastUsedAt, endsAt }: ProgramToken) => [
  ...[name, t(readOnly ? "tokens.read_only" : "tokens.all_rights")],
  ...[time(createdAt), lastUsedAt === null ? t("tokens.never") : time(lastUsedAt), time(endsAt)],
  <AskButton
    {...{ size: "small", label: t("tokens.end"), title: t("tokens.end_title", { name }) }}
    {...{ act: () => endToken(id), done: "tokens.ended" }}
  >
    {t("tokens.end_text")}
  </AskButton>,
];

/** What programs sign in with. */
export function Tokens() {
  const refresh = useRefresh();
  const [secret, setSecret] = useState<string>();
  const title = t("tokens.title");
  return (
    <Part name="tokens" read={tokens}>
      {(all) => (
        <>
          <SmallTable label={title} headings={HEADINGS} rows={all.map(row)} />
          <SmallForm
            label={t("tokens.create")}
            work={async ({ name = "", last = "", reads }, form) => {
              const endsAt = startOf(last, 1).toISOString();
              setSecret(await createToken(name, endsAt, reads !== undefined));
              form.reset();
              refresh();
            }}
          >
            <TextField name="name" label={t("tokens.name")} required />
            <TextField
              {...{ name: "last", type: "date", label: t("tokens.last"), required: true }}
              defaultValue={inDays(90)}
              slotProps={{
                inputLabel: { shrink: true },
                // A year at most, wherever the day begins.
                htmlInput: { min: inDays(0), max: inDays(363) },
              }}
            />
            <FormControlLabel
              control={<Checkbox name="reads" defaultChecked />}
              label={t("tokens.read_only")}
            />
          </SmallForm>
          {secret !== undefined && (
            <ShownOnce
              {...{ title: t("tokens.secret"), text: t("tokens.secret_text"), value: secret }}
              onClose={() => setSecret(undefined)}
            />
          )}
        </>
      )}
    </Part>
  );
}
