import type { AuthProvider } from "react-admin";
import { graphql } from "../api/graphql";
import { post } from "../api/post";
import { rememberCode } from "./fields";
import { answerTo, StartPasskeyLogin } from "./passkeys";
import { session } from "./session";

// To the letter the document that the service takes from everybody, even where it takes listed ones only.
const Login = graphql(`
  mutation Login($input: LoginInput!) { login(input: $input) { accessToken } }
`);

// So is this one.
const LoginWithPasskey = graphql(`
  mutation LoginWithPasskey($response: JSON!) { loginWithPasskey(response: $response) { accessToken } }
`);

const LogOut = graphql(`
  mutation LogOut { logOut }
`);

interface Credentials {
  readonly email?: string;
  readonly password?: string;
  readonly code?: string;
  /** `passkey`: it is all that is needed. */
  readonly way?: string;
}

/** Signs in, in this tab and those of this browser that wait. @throws Error in words */
export async function signIn(credentials: Credentials): Promise<void> {
  const { email = "", password = "", code = "", way } = credentials;
  if (way === "passkey") {
    const response = await answerTo((await post(StartPasskeyLogin, {})).startPasskeyLogin);
    const { loginWithPasskey } = await post(LoginWithPasskey, { response });
    session.take(loginWithPasskey.accessToken);
    return;
  }
  const { login } = await post(Login, { input: { email, password, ...(code && { code }) } });
  rememberCode(code !== "");
  session.take(login.accessToken);
}

/** Ends the session in all tabs, and then at the service, if that can be reached. */
async function signOut(): Promise<void> {
  const token = session.login?.token;
  session.signOut();
  if (token !== undefined)
    await post(LogOut, {}, { token, keepalive: true }).catch(() => undefined);
}

/** An ended session is no error here: requests wait for the password (`withToken`), and the page stays. */
export const authProvider: AuthProvider = {
  login: signIn,
  logout: async () => {
    if (session.phase !== "signed-out") void signOut();
    return Promise.resolve();
  },
  checkAuth: async () => {
    if (session.phase === "signed-out") await session.ask();
    if (session.phase === "signed-out") throw new Error("sign_in.needed");
  },
  checkError: async () => Promise.resolve(),
  getIdentity: async () => Promise.resolve({ id: session.email ?? "", fullName: session.email }),
  getPermissions: async () => Promise.resolve(undefined),
};
