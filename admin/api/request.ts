import { confirmation } from "../session/confirmation";
import { look } from "../session/keeper";
import { session } from "../session/session";
import type { TypedDocumentString as Document } from "./generated/graphql";
import { ask, Failure, post } from "./post";

/**
 * Sends a document with the token of who is signed in. Where the session has ended it waits until the password was
 * given again (a refused request has changed nothing), so that nothing typed is lost. @throws Failure
 */
export const request = <Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Result> =>
  withToken((token) => post(document, variables, { token, ...(signal && { signal }) }));

/** Asks for a path below `/admin`, which refuses in REST's shape. @throws Failure */
export const requestFile = (path: string, init?: RequestInit): Promise<Response> =>
  withToken(async (token) => {
    const response = await ask(path, token, init);
    if (response.ok) return response;
    const { status, statusText } = response;
    const body = (await response.json().catch(() => ({}))) as { message?: string | string[] };
    const code = status === 401 ? "UNAUTHENTICATED" : "REFUSED";
    // REST's shape has no reasons. To administrators, this is the only one.
    const reasons = status === 403 ? [{ code: "CONFIRM_IDENTITY" }] : [];
    throw new Failure(code, body.message ?? statusText, status, reasons);
  });

/**
 * Does what needs a token, again with a new one where the service does not take the present one, and again after a
 * question where the service wants to know who somebody is.
 */
async function withToken<T>(work: (token: string) => Promise<T>): Promise<T> {
  for (let isConfirmed = false; ;) {
    await look();
    const { token } = await session.signedIn();
    try {
      return await work(token);
    } catch (fault) {
      if (!(fault instanceof Failure)) throw fault;
      if (fault.isBecause("SECOND_FACTOR")) confirmation.tell("lead");
      if (fault.code === "UNAUTHENTICATED") await session.refused(token);
      else if (isConfirmed || !fault.isBecause("CONFIRM_IDENTITY")) throw fault;
      else isConfirmed = await confirmation.ask();
    }
  }
}

/** Saves an export to a file when its last byte has come: one that breaks off is never saved. @throws Failure */
export async function download(
  kind: string,
  query: Record<string, unknown>,
  progress: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => [name, `${each as string | number}`]),
  );
  const path = `/admin/export/${kind}?${new URLSearchParams(parameters).toString()}`;
  const response = await requestFile(path, { signal });
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      progress((bytes += part.length));
      controller.enqueue(part);
    },
  });
  const blob = await new Response(response.body?.pipeThrough(counted)).blob().catch(() => {
    throw new Failure("BROKEN_OFF", "export.broke_off");
  });
  const named = /filename="?([^";]+)/.exec(response.headers.get("content-disposition") ?? "");
  saveFile(named?.[1] ?? kind, blob);
}

export function saveFile(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
