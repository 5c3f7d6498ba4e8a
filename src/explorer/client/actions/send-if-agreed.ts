import type { Answer, Request } from "../service";
import { asksBeforeRunning } from "./asks-before-running";
import { confirmed } from "./confirmed";

/** Sends a request that was written by hand. Where it can't be undone, it waits for a yes. */
export async function sendIfAgreed(
  send: (request: Request) => Promise<Answer>,
  request: Request,
): Promise<Answer> {
  const question = asksBeforeRunning(request);
  const isAgreed = !question || (await confirmed(question, "Run"));
  return isAgreed ? send(request) : { errors: [{ message: "Not run" }] };
}
