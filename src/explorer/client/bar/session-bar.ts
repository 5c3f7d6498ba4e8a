import { element } from "../element";
import { messageOf } from "../message-of";
import { plainly } from "../plain-words";
import type { Login } from "../session/login";
import { onChange, type Reason, type Session } from "../session/session";
import { login, Refusal } from "../session/tokens";
import { say } from "./status";

/** Shows the part of the bar for signing in and out. It says who is signed in, and until when. */
export function showSessionBar(session: Session): void {
  const form = element<HTMLFormElement>("sign-in");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void signIn(session);
  });
  element("sign-out").addEventListener("click", () => {
    session.end();
    element("email").focus();
  });
  onChange(session, ({ reason }) => {
    // Another tab may have signed in while a password was typed here.
    if (session.current) form.reset();
    show(session.current);
    announce[reason](session.current);
  });
  show(session.current);
  const isIdle = document.activeElement === document.body;
  if (!session.current && isIdle) element("email").focus();
}

async function signIn(session: Session): Promise<void> {
  const email = element<HTMLInputElement>("email");
  const password = element<HTMLInputElement>("password");
  const button = element<HTMLButtonElement>("sign-in-button");
  button.disabled = true;
  say("Signing in…");
  try {
    session.start(await login(email.value, password.value));
    element("signed-in").focus();
  } catch (fault) {
    say(fault instanceof Refusal ? refusalOf(fault) : messageOf(fault), "fault");
    password.select();
  } finally {
    button.disabled = false;
  }
}

/** The message of a refusal. An invalid address or password is reported like a wrong one. */
function refusalOf({ messages, code, retryAfter = 0 }: Refusal): string {
  const text = code === "BAD_USER_INPUT" ? "Invalid credentials" : messages.join(" ");
  const advice = retryAfter > 1 ? ` Try again in ${retryAfter} seconds.` : "";
  return plainly(text) + advice;
}

const announce: Record<Reason, (current: Login | null) => void> = {
  "signed-in": () => say("Signed in", "unseen"),
  renewed: (current) => {
    if (current && !current.isRenewable)
      say(`Sign in again at ${timeOf(current.expiresAt)}`, "lasting");
  },
  "signed-out": () => say("Signed out"),
  expired: () => say("Session expired, sign in again", "fault"),
};

function show(current: Login | null): void {
  element("sign-in").hidden = current !== null;
  element("signed-in").hidden = current === null;
  if (!current) return;
  element("who").textContent = current.email;
  const time = element<HTMLTimeElement>("until");
  time.dateTime = new Date(current.expiresAt).toISOString();
  time.textContent = timeOf(current.expiresAt);
}

/** A moment as people read it: its time, and its date unless that is today. */
function timeOf(milliseconds: number): string {
  const moment = new Date(milliseconds);
  const isToday = moment.toDateString() === new Date().toDateString();
  return isToday
    ? moment.toLocaleTimeString([], { timeStyle: "short" })
    : moment.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
