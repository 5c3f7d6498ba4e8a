import { messageOf } from "../message-of";
import { plainly } from "../plain-words";
import { faultsOf, type Answer, type Fault, type Request } from "../service";

/** Why something was not done. */
export interface Failure {
  readonly messages: readonly string[];
  /** Whether everything else would fail too for now. */
  readonly concernsService: boolean;
  /** Whether the same would be refused again, so that there is no use in trying. */
  readonly isForGood: boolean;
  /** Whether what was acted on may have become something else than the page shows. */
  readonly isOutdated: boolean;
}

export interface Sent {
  readonly answer: Answer;
  /** Left out where all went well. */
  readonly failure?: Failure;
}

/** Of an answer that never came. */
const UNREACHABLE = "UNREACHABLE";

/** Codes of failures that have nothing to do with what was asked. */
const OF_SERVICE = [
  UNREACHABLE,
  "SERVICE_UNAVAILABLE",
  "TOO_MANY_REQUESTS",
  "UNAUTHENTICATED",
  "FORBIDDEN",
];

const OUTDATED = ["CONFLICT", "NOT_FOUND"];

const FOR_GOOD = [...OUTDATED, "BAD_USER_INPUT", "FORBIDDEN"];

/** Sends a request. A failure to do so is an answer with an error as well. */
export async function sent(
  send: (request: Request) => Promise<Answer>,
  request: Request,
): Promise<Sent> {
  const answer = await send(request).catch((fault: unknown): Answer => {
    const message = messageOf(fault);
    return { errors: [{ message, extensions: { code: UNREACHABLE } }] };
  });
  const { errors = [] } = answer;
  // What a mutation answers of what it has done may lack a part; to run it again would do it twice.
  const isDone = Object.values(answer.data ?? {}).some((value) => value !== null);
  return errors.length === 0 || isDone ? { answer } : { answer, failure: failureOf(errors) };
}

/** What errors of an answer come to. */
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
  };
}
