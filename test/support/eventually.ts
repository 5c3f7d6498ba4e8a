import { setTimeout } from "node:timers/promises";

/**
 * Asks every 5 ms, and resolves with the first answer that is true or a value. It is for events that nothing
 * announces. The test's own time-out bounds it.
 */
export async function eventually<Answer>(
  ask: () => Answer | Promise<Answer>,
): Promise<Exclude<Answer, false | undefined>> {
  for (;;) {
    const answer = await ask();
    if (answer) return answer as Exclude<Answer, false | undefined>;
    await setTimeout(5);
  }
}
