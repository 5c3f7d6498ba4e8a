import { messageOf } from "../message-of";
import type { Answer } from "../service";

interface Observer {
  next(answer: Answer): void;
  error(fault: unknown): void;
  complete(): void;
}

/** An answer to come, as GraphiQL expects it. GraphiQL unsubscribes as soon as another tab is in front. */
export interface Running {
  subscribe(observer: Observer): { unsubscribe(): void };
}

/**
 * Hands an answer to GraphiQL.
 *
 * @param late gets the answer instead, if GraphiQL no longer waits for it
 */
export const running = (answering: Promise<Answer>, late: (answer: Answer) => void): Running => ({
  subscribe(observer) {
    let isAwaited = true;
    answering.then(
      (answer) => {
        if (!isAwaited) {
          late(answer);
          return;
        }
        observer.next(answer);
        observer.complete();
      },
      (fault: unknown) => {
        const message = messageOf(fault);
        if (isAwaited) observer.error(fault);
        else late({ errors: [{ message }] });
      },
    );
    return {
      unsubscribe: () => {
        isAwaited = false;
      },
    };
  },
});
