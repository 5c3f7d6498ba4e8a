const AT_ONCE = 8;

/** The results of an action on each value, in the order of the values. Several actions run at the same time. */
export async function eachOf<T, R>(
  values: readonly T[],
  action: (value: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < values.length; start += AT_ONCE) {
    results.push(...(await Promise.all(values.slice(start, start + AT_ONCE).map(action))));
  }
  return results;
}
