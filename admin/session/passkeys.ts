import { graphql } from "../api/graphql";
import { t } from "../texts";

// To the letter the document that the service takes from everybody, even where it takes listed ones only.
export const StartPasskeyLogin = graphql(`
  mutation StartPasskeyLogin { startPasskeyLogin }
`);

/** Lets the browser ask for a passkey by the service's options, and returns its answer. @throws Error in words */
export const answerTo = (options: unknown): Promise<unknown> =>
  answered(() => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
    return navigator.credentials.get({ publicKey });
  });

/** Lets the browser make a passkey by the service's options, and returns its answer. @throws Error in words */
export const madeBy = (options: unknown): Promise<unknown> =>
  answered(() => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
    return navigator.credentials.create({ publicKey });
  });

/** The browser's own words are of its programmers: whoever has closed its dialog knows. */
async function answered(ceremony: () => Promise<Credential | null>): Promise<unknown> {
  try {
    return ((await ceremony()) as PublicKeyCredential).toJSON();
  } catch {
    throw new Error(t("sign_in.no_passkey"));
  }
}
