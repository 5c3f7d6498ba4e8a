import { showMenu } from "./bar/menu";
import { showSessionBar } from "./bar/session-bar";
import { say } from "./bar/status";
import { element } from "./element";
import { firstOperation } from "./operations";
import { isUnauthenticated, post, type Answer, type Request } from "./service";
import { Session, SessionChange } from "./session/session";
import { Workbench } from "./workbench/workbench";

// GraphiQL's dialogs look here for the nonce of the style that they add.
Object.assign(globalThis, {
  __webpack_nonce__: document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce,
});

const session = new Session(sessionStorage);
const workbench = new Workbench(element("workbench"), {
  send,
  storage: sessionStorage,
  preferences: localStorage,
  first: firstOperation,
});

async function send(request: Request): Promise<Answer> {
  session.check();
  const token = session.current?.token;
  const answer = await post(request, token);
  if (isUnauthenticated(answer)) {
    if (token !== undefined) session.expire(token);
    else say("Sign in to run this operation", "fault");
  }
  return answer;
}

session.addEventListener("change", (event) => {
  if (event instanceof SessionChange && event.reason === "signed-out") workbench.clear();
});
showSessionBar(session);
showMenu((operation) => workbench.open(operation));
document.addEventListener("visibilitychange", () => session.check());
session.check();
