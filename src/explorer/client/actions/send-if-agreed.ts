import type { Answer, Request } from "../service";
import { asksBeforeRunning } from "./asks-before-running";
import { confirmed } from "./confirmed";

/** Sends a handwritten request. If it can't be undone, asks first, and sends it only after a yes. */
export async function sendIfAgreed(
  send: (request: Request) => Promise<Answer>,
  request: Request,
): Promise<Answer> {
  const question = asksBeforeRunning(request);
  const isAgreed = !question || (await confirmed(question, "Run"));
  return isAgreed ? send(request) : { errors: [{ message: "Not run" }] };
}
