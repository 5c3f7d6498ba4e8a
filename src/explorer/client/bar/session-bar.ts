import { element } from "../element";
import { login } from "../service";
import { SessionChange, type Login, type Reason, type Session } from "../session/session";
import { say } from "./status";

/** The part of the bar where one signs in and out, and sees who is signed in until when. */
export function showSessionBar(session: Session): void {
  const form = element<HTMLFormElement>("sign-in");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void signIn(session, form);
  });
  element("sign-out").addEventListener("click", () => {
    session.end();
    element("email").focus();
  });
  session.addEventListener("change", (event) => {
    show(session.current);
    if (event instanceof SessionChange) announce[event.reason]();
  });
  show(session.current);
}

async function signIn(session: Session, form: HTMLFormElement): Promise<void> {
  const email = element<HTMLInputElement>("email");
  const password = element<HTMLInputElement>("password");
  const button = element<HTMLButtonElement>("sign-in-button");
  button.disabled = true;
  say("Signing in…");
  try {
    session.start(await login(email.value, password.value));
    form.reset();
    element("sign-out").focus();
  } catch (fault) {
    say(fault instanceof Error ? fault.message : String(fault), "fault");
    password.select();
  } finally {
    button.disabled = false;
  }
}

const announce: Record<Reason, () => void> = {
  "signed-in": () => say("Signed in", "unseen"),
  "signed-out": () => say("Signed out"),
  expired: () => say("Session expired, sign in again", "fault"),
};

function show(current: Login | null): void {
  element("sign-in").hidden = current !== null;
  element("signed-in").hidden = current === null;
  if (!current) return;
  const until = new Date(current.expiresAt);
  const isToday = until.toDateString() === new Date().toDateString();
  element("who").textContent = current.email;
  const time = element<HTMLTimeElement>("until");
  time.dateTime = until.toISOString();
  time.textContent = isToday
    ? until.toLocaleTimeString([], { timeStyle: "short" })
    : until.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
