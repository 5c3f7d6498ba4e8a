import { messageOf } from "../message-of";
import { plainly } from "../plain-words";
import type { Values } from "../operations/row-operation";
import { faultsOf, type Answer, type Fault, type Request } from "../service";

/** Why a request failed. */
export interface Failure {
  readonly messages: readonly string[];
  /** Whether all other requests would fail now as well. */
  readonly concernsService: boolean;
  /** Whether the same request would be refused again, so that it is useless to retry. */
  readonly isForGood: boolean;
  /** Whether the object may have changed since the page read it. */
  readonly isOutdated: boolean;
  /** Whether it was refused because the object has another version than the one that was seen. */
  readonly isConflict: boolean;
  /** After a conflict, the object as it is now. Undefined if it could not be read. */
  readonly present?: Values;
}

export interface Sent {
  readonly answer: Answer;
  /** Undefined after a success. */
  readonly failure?: Failure;
}

/** The code of the error when no answer came. */
const UNREACHABLE = "UNREACHABLE";

/** Codes of failures that do not depend on the request. */
const OF_SERVICE = [
  UNREACHABLE,
  "SERVICE_UNAVAILABLE",
  "TOO_MANY_REQUESTS",
  "UNAUTHENTICATED",
  "FORBIDDEN",
];

const OUTDATED = ["CONFLICT", "NOT_FOUND"];

const FOR_GOOD = [...OUTDATED, "BAD_USER_INPUT", "FORBIDDEN"];

/** Sends a request. If it can't be sent, the answer has an error that says so. */
export async function sent(
  send: (request: Request) => Promise<Answer>,
  request: Request,
): Promise<Sent> {
  const answer = await send(request).catch((fault: unknown): Answer => {
    const message = messageOf(fault);
    return { errors: [{ message, extensions: { code: UNREACHABLE } }] };
  });
  const { errors = [] } = answer;
  // The answer of a mutation that was done may lack a part. It is no failure: a retry would do the mutation twice.
  const isDone = Object.values(answer.data ?? {}).some((value) => value !== null);
  return errors.length === 0 || isDone ? { answer } : { answer, failure: failureOf(errors) };
}

/** The failure that errors of an answer amount to. */
export function failureOf(errors: readonly Fault[]): Failure {
  const codes = errors.map(({ extensions }) => extensions?.code ?? "");
  const pauses = errors.map(({ extensions }) => extensions?.http?.retryAfter ?? 0);
  const pause = Math.max(...pauses);
  const advice = pause > 1 ? [`Try again in ${pause} seconds`] : [];
  return {
    messages: [...faultsOf({ errors }).map(plainly), ...advice],
    concernsService: codes.some((code) => OF_SERVICE.includes(code)),
    isForGood: codes.some((code) => FOR_GOOD.includes(code)),
    isOutdated: codes.some((code) => OUTDATED.includes(code)),
    isConflict: errors.some(({ extensions }) =>
      extensions?.reasons?.some(({ code }) => code === "VERSION"),
    ),
  };
}
