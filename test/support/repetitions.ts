/** Whether tests repeat as often as they can. `npm run coverage` sets this, and so `npm run check` does too. */
const repeatsAll = process.env.TEST_REPETITIONS === "all";

/** How often a test repeats a case: `few` times in `npm test`, `all` times in `npm run check`. */
export const repetitions = ({ few, all }: { few: number; all: number }): number =>
  repeatsAll ? all : few;

/**
 * Returns a function that takes a part of a list with each call, so that `parts` successive calls take the whole list.
 * It is for cases that are repeated for each of many things. In `npm run check`, each call takes the whole list.
 */
export function inParts<T>(list: readonly T[], parts: number): () => T[] {
  let calls = 0;
  return () => {
    const first = calls++ % parts;
    return list.filter((_, index) => repeatsAll || index % parts === first);
  };
}
