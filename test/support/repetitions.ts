/** Whether tests repeat as often as they can: `npm run coverage`, and so `npm run check`, set this. */
export const repeatsAll = process.env.TEST_REPETITIONS === "all";

/** How often a test repeats what it shows: `few` times in `npm test`, `all` times in `npm run check`. */
export const repetitions = ({ few, all }: { few: number; all: number }): number =>
  repeatsAll ? all : few;

/**
 * A function that takes a part of a list with each call, so that `parts` calls one after another take all of it:
 * for what is shown of each of many things. In `npm run check` each call takes all.
 */
export function inParts<T>(list: readonly T[], parts: number): () => T[] {
  let calls = 0;
  return () => {
    const first = calls++ % parts;
    return list.filter((_, index) => repeatsAll || index % parts === first);
  };
}
