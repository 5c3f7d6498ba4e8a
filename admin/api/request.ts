import { look } from "../session/keeper";
import { session } from "../session/session";
import type { Document } from "./graphql";
import { Failure, post } from "./post";

/**
 * Sends a document with the token of who is signed in. Where the session has ended it waits until the password was
 * given again (a refused request has changed nothing), so that nothing typed is lost.
 *
 * @throws Failure
 */
export async function request<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> {
  return withToken((token) => post(document, variables, { token, ...(signal && { signal }) }));
}

/** Does what needs a token, again with a new one where the service does not take the present one. */
export async function withToken<T>(work: (token: string) => Promise<T>): Promise<T> {
  for (;;) {
    await look();
    const { token } = await session.signedIn();
    try {
      return await work(token);
    } catch (fault) {
      if (!(fault instanceof Failure) || fault.code !== "UNAUTHENTICATED") throw fault;
      await session.refused(token);
    }
  }
}
