import { ignoreHeldKeys } from "./bar/held-keys";
import { openLinks } from "./bar/links";
import { showMenu } from "./bar/menu";
import { showPasswordDialog } from "./bar/password-dialog";
import { showSessionBar } from "./bar/session-bar";
import { hush, say } from "./bar/status";
import { element } from "./element";
import { words } from "./inputs/names";
import { afterSignIn, firstOperation, groups, rowOperations } from "./operations";
import { forVisitors, isUnauthenticated, type Answer, type Request } from "./service";
import { Keeper } from "./session/keeper";
import { OtherTabs } from "./session/other-tabs";
import { sender } from "./session/sender";
import { Session } from "./session/session";
import { renewToken } from "./session/tokens";
import { followSession } from "./workbench/follow-session";
import { mendLabels } from "./workbench/labels";
import { nameOf } from "./workbench/tabs";
import { Workbench } from "./workbench/workbench";

// GraphiQL's dialogs look here for the nonce of the styles that they add.
Object.assign(globalThis, {
  __webpack_nonce__: document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce,
});

const linkable = [
  ...groups.flatMap(({ operations }) => operations),
  ...rowOperations.map(({ label, query }) => ({ label, query, variables: () => ({}) })),
];

const names = new Map([
  ["<untitled>", "Untitled"],
  ...rowOperations.map((operation) => [nameOf(operation), words(nameOf(operation))] as const),
  ...groups.flatMap(({ operations }) =>
    operations.map((operation) => [nameOf(operation), operation.label] as const),
  ),
]);

const session = new Session(sessionStorage);
const others = new OtherTabs(session);
const keeper = new Keeper(session, others, renewToken);
const sendWithToken = sender(session, keeper);
const workbench = new Workbench(element("workbench"), {
  send,
  storage: sessionStorage,
  preferences: localStorage,
  first: firstOperation,
  session,
  linkable,
});

async function send(request: Request): Promise<Answer> {
  const wasSignedIn = session.current !== null;
  const answer = await sendWithToken(request);
  if (!wasSignedIn && isUnauthenticated(forVisitors(answer))) {
    say("Sign in to run this operation", "fault");
  }
  return answer;
}

/** Asks the other tabs what this one has missed while it was hidden or frozen. */
async function catchUp(): Promise<void> {
  await others.ask();
  keeper.check();
}

async function start(): Promise<void> {
  // A new tab of the browser gets the session of the others.
  if (session.current) void catchUp();
  else await others.ask();
  showSessionBar(session);
  showPasswordDialog(session, keeper);
  const hasLink = openLinks(workbench, linkable);
  followSession(session, workbench, {
    storage: sessionStorage,
    welcome: () => {
      if (!hasLink()) workbench.open(afterSignIn);
    },
  });
  if (!hasLink()) workbench.rerun();
}

ignoreHeldKeys(globalThis);
mendLabels(document.body, names);
showMenu(groups, (operation) => {
  hush();
  workbench.open(operation);
});
for (const input of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(input, () => keeper.use(), { capture: true, passive: true });
}
addEventListener("pageshow", ({ persisted }) => persisted && void catchUp());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void catchUp();
});
void start();
