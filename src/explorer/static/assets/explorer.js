import { groups } from "./operations.js";
import { isUnauthenticated, login, post } from "./service.js";
import { Session } from "./session.js";
import { Workbench } from "./workbench.js";

const { document } = globalThis;
const element = (id) => document.getElementById(id);

// GraphiQL's dialogs look here for the nonce of the style that they add.
globalThis.__webpack_nonce__ = document.querySelector("script[nonce]").nonce;

const session = new Session(sessionStorage);
const workbench = new Workbench(element("workbench"), {
  fetcher,
  storage: sessionStorage,
  first: groups.at(-1).operations[0],
});

async function fetcher(request) {
  session.check();
  const token = session.current?.token;
  const answer = await post(request, token);
  if (isUnauthenticated(answer)) {
    if (token) session.expire(token);
    else say("Sign in to run this operation", "fault");
  }
  return answer;
}

function say(text, kind = "") {
  element("status").textContent = text;
  element("status").dataset.kind = kind;
}

function showSession() {
  const { current } = session;
  element("sign-in").hidden = current !== null;
  element("signed-in").hidden = current === null;
  if (!current) return;
  const until = new Date(current.expiresAt);
  const isToday = until.toDateString() === new Date().toDateString();
  element("who").textContent = current.email;
  element("until").dateTime = until.toISOString();
  element("until").textContent = isToday
    ? until.toLocaleTimeString([], { timeStyle: "short" })
    : until.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}

const announcements = {
  "signed-in": () => say("Signed in", "unseen"), // the bar shows it, but does not tell it
  "signed-out": () => say("Signed out"),
  expired: () => say("Session expired, sign in again", "fault"),
};

session.addEventListener("change", ({ detail }) => {
  showSession();
  announcements[detail]();
});

element("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { email, password } = event.target.elements;
  const button = event.submitter ?? event.target.querySelector("button");
  button.disabled = true;
  say("Signing in…");
  try {
    session.start(await login(email.value, password.value));
    event.target.reset();
    element("sign-out").focus();
  } catch (fault) {
    say(fault.message, "fault");
    password.select();
  } finally {
    button.disabled = false;
  }
});

element("sign-out").addEventListener("click", () => {
  session.end();
  workbench.clearAnswers();
  element("email").focus();
});

document.addEventListener("visibilitychange", () => session.check());

for (const { label, operations } of groups) {
  const heading = document.createElement("h2");
  heading.textContent = label;
  const list = document.createElement("ul");
  for (const operation of operations) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = operation.label;
    button.addEventListener("click", () => {
      element("operations").hidePopover();
      workbench.open(operation);
    });
    const item = document.createElement("li");
    item.append(button);
    list.append(item);
  }
  element("operations").append(heading, list);
}

showSession();
session.check();
