import { graphql } from "../api/graphql";
import { post } from "../api/post";
import { t } from "../texts";
import { Front } from "./front";
import { session } from "./session";
import { PasswordField, SmallForm } from "./small-form";

// To the letter the document that the service takes from everybody, even where it takes listed ones only.
const Accept = graphql(`
  mutation AcceptInvitation($token: String!, $password: String!) { acceptInvitation(token: $token, password: $password) { accessToken } }
`);

/** The page of the link that `tea admin invite` prints: an administrator chooses the first password, and is signed in. */
export function Invitation({ token }: { readonly token: string }) {
  const accept = async (password: string, again: string): Promise<void> => {
    if (password !== again) throw new Error(t("account.differ"));
    const { acceptInvitation } = await post(Accept, { token, password });
    session.take(acceptInvitation.accessToken);
    location.replace("/admin");
  };
  return (
    <Front title={t("sign_in.invited")}>
      <SmallForm
        label={t("sign_in.submit")}
        work={({ password = "", again = "" }) => accept(password, again)}
      >
        <PasswordField label={t("account.next")} autoComplete="new-password" autoFocus />
        <PasswordField label={t("account.again")} name="again" autoComplete="new-password" />
      </SmallForm>
    </Front>
  );
}
