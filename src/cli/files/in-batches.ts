/** Entries in a batch: enough to be fast, and few enough to need little memory. */
const MOST = 1_000;

/** Collects entries in batches. */
export async function* inBatches<T>(entries: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const entry of entries) {
    batch.push(entry);
    if (batch.length < MOST) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
