import timers from "node:timers/promises";

/** Real time passes here, also where a test has fake timers. */
const { setTimeout } = timers;

/** How many tests and failed hooks of this process are over. Jest's environment counts them. */
const ended = (): unknown => (globalThis as { endedTests?: number }).endedTests;

/** In milliseconds. Asking takes processor time from what it waits for, so a long wait asks less often. */
const PAUSES = { first: 5, growth: 1.2, longest: 25 };

/**
 * Asks again and again, and resolves with the first answer that is true or a value. It is for events that nothing
 * announces. The test's own time-out bounds it.
 *
 * @throws Error when the test is over, so that it doesn't go on asking beside the tests that follow
 */
export async function eventually<Answer>(
  ask: () => Answer | Promise<Answer>,
): Promise<Exclude<Answer, false | undefined>> {
  let pause = PAUSES.first;
  for (const before = ended(); ended() === before;) {
    const answer = await ask();
    if (answer) return answer as Exclude<Answer, false | undefined>;
    await setTimeout(pause);
    pause = Math.min(pause * PAUSES.growth, PAUSES.longest);
  }
  throw new Error("The test was over before what it waited for came about");
}
