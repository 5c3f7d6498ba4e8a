import { messageOf } from "../message-of";
import type { Answer } from "../service";

interface Observer {
  next(answer: Answer): void;
  error(fault: unknown): void;
  complete(): void;
}

/** What GraphiQL takes for an answer that it can stop waiting for, as soon as another tab is in front. */
export interface Running {
  subscribe(observer: Observer): { unsubscribe(): void };
}

/**
 * Hands an answer to GraphiQL.
 *
 * @param late takes it instead if GraphiQL does not wait for it any more
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
