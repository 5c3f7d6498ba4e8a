import type { AuthProvider } from "react-admin";
import { graphql } from "../api/graphql";
import { post } from "../api/post";
import { session } from "./session";

// To the letter the document that the service takes from everybody, even where it takes listed ones only.
const Login = graphql(`
  mutation Login($input: LoginInput!) { login(input: $input) { accessToken } }
`);

/** Signs in, in this tab and those of this browser that wait. @throws Failure */
export async function signIn(input: { email: string; password: string }): Promise<void> {
  const { login } = await post(Login, { input });
  session.take(login.accessToken);
}

/** An ended session is no error here: requests wait for the password (`withToken`), and the page stays. */
export const authProvider: AuthProvider = {
  login: signIn,
  logout: async () => {
    if (session.phase !== "signed-out") session.signOut();
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
