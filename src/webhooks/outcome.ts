import type { SettledDelivery } from "../vocabulary/webhooks";
import type { Answer } from "./sender";

/** What is to be sent, and how often that was tried. */
export interface Claimed {
  readonly id: number;
  readonly endpointId: number;
  readonly attempts: number;
  readonly attemptsBefore: number;
}

/** What came of a try. */
export interface Outcome {
  readonly answer: Answer;
  readonly isFinal?: boolean;
  readonly isUnsendable?: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds before each try, after the one before. Together they give a receiver three days to come back. */
const PAUSES: readonly number[] = [
  0,
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** The longest wait that a receiver may ask for. */
const LONGEST_ASKED = 24 * HOUR;

/** The share of a pause by which it may be longer, so that many messages do not come back at the same moment. */
const JITTER = 0.1;

/**
 * Milliseconds until the next try of a message that has been tried so many times; undefined if there is none.
 * `retryAfter` are the milliseconds that the receiver asked for, if it did.
 */
function pauseAfter(
  tries: number,
  retryAfter: number | null,
  random: () => number = Math.random,
): number | undefined {
  const pause = PAUSES[tries];
  if (pause === undefined) return undefined;
  const atLeast = Math.max(pause, Math.min(retryAfter ?? 0, LONGEST_ASKED));
  return Math.round(atLeast * (1 + JITTER * random()));
}

/** The answer of a receiver that gave none. */
export const failed = (fault: string): Answer => ({
  status: null,
  fault,
  answer: "",
  retryAfter: null,
});

/** What is to be stored of a try that began `at` that time. */
export function settledBy(
  item: Claimed,
  at: string,
  { answer, isFinal = false, isUnsendable = false }: Outcome,
): SettledDelivery {
  const { status, fault } = answer;
  const isDelivered = fault === null && status !== null && status >= 200 && status < 300;
  const tries = item.attempts - item.attemptsBefore + 1;
  const pause = isDelivered || isFinal ? undefined : pauseAfter(tries, answer.retryAfter);
  return {
    ...{ id: item.id, endpointId: item.endpointId, attempts: item.attempts },
    state: isDelivered ? "DELIVERED" : pause === undefined ? "GIVEN_UP" : "WAITING",
    pause: pause ?? null,
    attempt: { at, status, fault, answer: answer.answer },
    isGone: status === 410,
    isUnsendable,
  };
}
