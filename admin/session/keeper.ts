import { graphql } from "../api/graphql";
import { post, type Failure } from "../api/post";
import { session } from "./session";

const Renew = graphql(`
  mutation RenewToken { renewToken { accessToken } }
`);

/** Share of a token's life after which it is renewed, if the page is used. */
const DUE = 2 / 3;
/** Milliseconds between two looks at the time; a laptop that wakes up is seen within one. */
const LOOK = 10_000;
const RETRY = 15_000;

/** Whether a person has done something since the token came: asking for new orders is no work. */
let isUsed = false;
let retryAt = 0;

/** Keeps the session alive while somebody works, and ends it when its time is over. */
export function keepSession(): void {
  for (const kind of ["keydown", "pointerdown", "touchstart", "wheel"]) {
    addEventListener(kind, () => (isUsed = true), { capture: true, passive: true });
  }
  session.onChange(() => {
    isUsed = false;
    retryAt = 0;
  });
  setInterval(() => void look(), LOOK);
  document.addEventListener("visibilitychange", () => void look());
}

/** Wait for it before a request: ends a session whose time is over, and renews one whose time is nearly so. */
export async function look(): Promise<void> {
  const { login } = session;
  if (!login) return;
  const now = Date.now();
  if (login.expiresAt <= now) return session.refused(login.token);
  const due = login.startedAt + (login.expiresAt - login.startedAt) * DUE;
  if (isUsed && login.isRenewable && due <= now && retryAt <= now) await renew(login.token);
}

async function renew(token: string): Promise<void> {
  retryAt = Date.now() + RETRY;
  await exclusively(async () => {
    await session.ask(); // another tab may have renewed it meanwhile
    if (session.login?.token !== token) return;
    const answer = await post(Renew, {}, { token, signal: AbortSignal.timeout(RETRY) }).catch(
      (fault: unknown) => fault as Failure,
    );
    if (!(answer instanceof Error)) session.take(answer.renewToken.accessToken, token);
    else if ("code" in answer && answer.code === "UNAUTHENTICATED") await session.refused(token);
  });
}

/** Runs work with the token in one tab of this browser at a time (in any order where a browser has no locks). */
async function exclusively(work: () => Promise<void>): Promise<void> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks) await locks.request("tea-shop:token", work);
  else await work();
}
