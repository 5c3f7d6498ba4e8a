import { Alert, Box, Button, Paper, TextField } from "@mui/material";
import { useNotify, useTranslate } from "react-admin";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { sentence } from "../texts";
import { PageTitle } from "../parts/page-title";
import { session } from "./session";
import { useSubmit } from "./sign-in";

const ChangePassword = graphql(`
  mutation ChangePassword($current: String!, $next: String!) {
    changePassword(currentPassword: $current, newPassword: $next) { accessToken }
  }
`);

/** One's own account: the password. */
export default function Account() {
  const translate = useTranslate();
  const notify = useNotify();
  const { fault, isBusy, submit } = useSubmit(async (fields, form) => {
    const [current, next, again] = ["current", "next", "again"].map(
      (name) => fields.get(name) as string,
    );
    if (next !== again) throw new Error(sentence("shop.account.differ"));
    const { changePassword } = await request(ChangePassword, {
      current: current ?? "",
      next: next ?? "",
    });
    session.take(changePassword.accessToken);
    notify("shop.account.changed", { type: "success" });
    form.reset();
  });
  const field = (name: string, autoComplete: string) => (
    <TextField
      required
      type="password"
      {...{ name, autoComplete }}
      label={translate(`shop.account.${name}`)}
    />
  );
  return (
    <Box sx={{ display: "grid", gap: 2, maxWidth: 420 }}>
      <PageTitle>{translate("shop.page.account")}</PageTitle>
      <p>{session.email}</p>
      <Paper
        component="form"
        variant="outlined"
        onSubmit={submit}
        sx={{ p: 2, display: "grid", gap: 2 }}
      >
        <input
          name="username"
          autoComplete="username"
          value={session.email ?? ""}
          readOnly
          hidden
        />
        {field("current", "current-password")}
        {field("next", "new-password")}
        {field("again", "new-password")}
        <p>{translate("shop.account.others_end")}</p>
        {fault && <Alert severity="error">{fault}</Alert>}
        <Box>
          <Button type="submit" variant="contained" disabled={isBusy}>
            {translate("shop.account.change")}
          </Button>
        </Box>
      </Paper>
    </Box>
  );
}
