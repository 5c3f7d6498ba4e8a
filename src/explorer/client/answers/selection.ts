/** The keys of the selected rows, and the row where a range would begin. */
export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const NOTHING: Selection = { keys: new Set(), anchor: undefined };

/**
 * Selects a row, or deselects it.
 *
 * @param all the keys of all rows that can be selected, in their order
 * @param isRange whether to do the same to all rows between the last toggled one and this one
 */
export function toggled(
  { keys, anchor }: Selection,
  all: readonly string[],
  key: string,
  isRange: boolean,
): Selection {
  const isSelected = !keys.has(key);
  const from = isRange && anchor !== undefined ? all.indexOf(anchor) : -1;
  const to = all.indexOf(key);
  const range = from < 0 ? [key] : all.slice(Math.min(from, to), Math.max(from, to) + 1);
  const changed = new Set(keys);
  for (const each of range) {
    if (isSelected) changed.add(each);
    else changed.delete(each);
  }
  return { keys: changed, anchor: key };
}

/** Selects all rows, or none if all are selected. */
export function toggledAll({ keys }: Selection, all: readonly string[]): Selection {
  return all.every((key) => keys.has(key)) ? NOTHING : { keys: new Set(all), anchor: undefined };
}
