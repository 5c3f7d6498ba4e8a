import type { Values } from "../operations/row-operation";
import type { Failure } from "./sent";

/** A row on which an action runs. */
export interface Item {
  readonly values: Values;
  readonly state: "waiting" | "done" | "failed";
  /** Why it failed, if it did. */
  readonly failure?: Failure;
}

/** Whether a round for items of that state has something to do with the item. */
export const isDue = (item: Item, state: Round["state"]): boolean =>
  item.state === state && !item.failure?.isForGood;

interface Round {
  /** Which of the items it runs on. */
  readonly state: "waiting" | "failed";
  readonly act: (values: Values) => Promise<Failure | undefined>;
  readonly isStopped: () => boolean;
  /** Is told of every turn as it begins. */
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly begun: number;
  readonly of: number;
}

/**
 * Acts on one item after another. A failure of an item does not keep the others from their turn; one of
 * the service ends the round, because every other would fail as well.
 *
 * @returns all items as they have become
 */
export async function runEach(
  items: readonly Item[],
  { state, act, isStopped, onProgress }: Round,
): Promise<readonly Item[]> {
  const all = [...items];
  const turns = all.flatMap((item, index) => (isDue(item, state) ? [{ item, index }] : []));
  for (const [begun, { item, index }] of turns.entries()) {
    if (isStopped()) break;
    onProgress({ begun: begun + 1, of: turns.length });
    const failure = await act(item.values);
    const { values } = item;
    all[index] = failure ? { values, state: "failed", failure } : { values, state: "done" };
    if (failure?.concernsService) break;
  }
  return all;
}
