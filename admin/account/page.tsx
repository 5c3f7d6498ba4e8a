import { Alert, Stack } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { useNotify } from "react-admin";
import { useLocation } from "react-router-dom";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { PageHead } from "../parts/page";
import { session } from "../session/session";
import { PasswordField, SmallForm, Username } from "../session/small-form";
import { t } from "../texts";
import { Factors } from "./factors";
import { Sessions } from "./sessions";
import { factors } from "./source";
import { Tokens } from "./tokens";

const ChangePassword = graphql(`
  mutation ChangePassword($current: String!, $next: String!) {
    changePassword(currentPassword: $current, newPassword: $next) { accessToken }
  }
`);

/** One's own account: what one signs in with, where one is signed in, and what programs sign in with. */
export function Account() {
  const notify = useNotify();
  const field = (name: string, autoComplete: string) => (
    <PasswordField required {...{ name, autoComplete }} label={t(`account.${name}`)} />
  );
  return (
    <Stack spacing={2}>
      <PageHead title={t("page.account")} />
      <p>{session.email}</p>
      <FactorFirst />
      <SmallForm
        label={t("account.change")}
        work={async ({ current = "", next = "", again }, form) => {
          if (next !== again) throw new Error(t("account.differ"));
          const { changePassword } = await request(ChangePassword, { current, next });
          session.take(changePassword.accessToken);
          notify("account.changed", { type: "success" });
          form.reset();
        }}
      >
        <Username email={session.email} />
        {field("current", "current-password")}
        {field("next", "new-password")}
        {field("again", "new-password")}
        <p>{t("account.others_end")}</p>
      </SmallForm>
      <Factors />
      <Sessions />
      <Tokens />
    </Stack>
  );
}

/** Says to who was led here that nothing else goes without a second factor. */
function FactorFirst() {
  const { state } = useLocation() as { state: { readonly lacksFactor?: true } | null };
  const { data } = useQuery({ queryKey: ["account", "factors"], queryFn: factors });
  const hasFactor = data && (data.oneTimeCodes || data.passkeys.length > 0);
  if (!state?.lacksFactor || hasFactor !== false) return null;
  return <Alert severity="warning">{t("account.factor_first")}</Alert>;
}
