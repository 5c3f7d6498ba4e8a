import { Stack } from "@mui/material";
import { useNotify } from "react-admin";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { PageHead } from "../parts/page";
import { t } from "../texts";
import { session } from "./session";
import { PasswordField, SmallForm, Username } from "./small-form";

const ChangePassword = graphql(`
  mutation ChangePassword($current: String!, $next: String!) {
    changePassword(currentPassword: $current, newPassword: $next) { accessToken }
  }
`);

/** One's own account: the password. */
export function Account() {
  const notify = useNotify();
  const field = (name: string, autoComplete: string) => (
    <PasswordField required {...{ name, autoComplete }} label={t(`account.${name}`)} />
  );
  return (
    <Stack spacing={2}>
      <PageHead title={t("page.account")} />
      <p>{session.email}</p>
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
    </Stack>
  );
}
