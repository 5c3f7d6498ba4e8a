import type { Values } from "../operations/row-operation";
import type { Failure } from "./sent";

/** A row on which an action runs. */
export interface Item {
  /** The values that the administrator has seen. */
  readonly values: Values;
  /** It has "changed" if somebody else has changed it after the administrator saw it. */
  readonly state: "waiting" | "done" | "failed" | "changed";
  /** Why it failed, if it did; also if it has changed. */
  readonly failure?: Failure;
}

/** The states of items on which a round can act. */
export type TriedState = Exclude<Item["state"], "done">;

/** Whether a round for items in this state acts on the item. */
export const isDue = (item: Item, state: TriedState): boolean =>
  item.state === state && !item.failure?.isForGood;

interface Round {
  /** The state of the items on which the round acts. */
  readonly state: TriedState;
  /** Acts on the object with these values: those that it has now, if it has changed. */
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
  { state: due, act, isStopped, onProgress }: Round,
): Promise<readonly Item[]> {
  const all = [...items];
  const turns = all.flatMap((item, index) => (isDue(item, due) ? [{ item, index }] : []));
  for (const [begun, { item, index }] of turns.entries()) {
    if (isStopped()) break;
    onProgress({ begun: begun + 1, of: turns.length });
    const values = item.failure?.present ?? item.values;
    const failure = await act(values);
    const state = failure?.present ? "changed" : "failed";
    all[index] = failure ? { values, state, failure } : { values, state: "done" };
    if (failure?.concernsService) break;
  }
  return all;
}
