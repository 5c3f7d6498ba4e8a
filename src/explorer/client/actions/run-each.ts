import type { Values } from "../operations/row-operation";
import type { Failure } from "./sent";

/** A row on which an action runs. */
export interface Item {
  readonly values: Values;
  readonly state: "waiting" | "done" | "failed";
  /** Why it failed, if it did. */
  readonly failure?: Failure;
}

/** Whether a round for items in this state acts on the item. */
export const isDue = (item: Item, state: Round["state"]): boolean =>
  item.state === state && !item.failure?.isForGood;

interface Round {
  /** The state of the items on which the round acts. */
  readonly state: "waiting" | "failed";
  readonly act: (values: Values) => Promise<Failure | undefined>;
  readonly isStopped: () => boolean;
  /** Called at the beginning of every turn. */
  readonly onProgress: (progress: Progress) => void;
}

export interface Progress {
  readonly begun: number;
  readonly of: number;
}

/**
 * Acts on one item after another. If an item fails, the others still get their turn. If the service fails, the round
 * ends, because all other items would fail as well.
 *
 * @returns all items, with their new states
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
