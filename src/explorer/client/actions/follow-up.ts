import { isObject } from "../objects";
import type { FollowUp, Values } from "../operations/row-operation";
import type { Answer, Request } from "../service";
import { failureOf, sent, type Failure } from "./sent";

/** Longer than the service waits for a receiver. */
const PATIENCE = 20_000;

const PAUSE = 500;

/**
 * Waits for what comes of a mutation, and returns why it failed, if it did.
 *
 * @param data the answer of the mutation
 */
export async function followUp(
  { query, faultIn }: FollowUp,
  { id }: Values,
  data: Values,
  send: (request: Request) => Promise<Answer>,
): Promise<Failure | undefined> {
  const [begun] = Object.values(data);
  const end = Date.now() + PATIENCE;
  let fault: string | undefined;
  while (fault === undefined && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    const { answer, failure } = await sent(send, { query, variables: { id } });
    if (failure) return failure;
    fault = faultIn(answer.data ?? {}, isObject(begun) ? begun : {});
  }
  return fault === "" ? undefined : failureOf([{ message: fault ?? "Nothing has come of it yet" }]);
}
