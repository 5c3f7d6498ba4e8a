import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { BoundedQueue } from "../../src/vocabulary/bounded-queue";
import { LongReads } from "../../src/reads/long-reads";

const ABANDONED = { code: "UNAVAILABLE", details: { reason: "abandoned" } };

/** Reads under way, which end when the test says so, or when their signal is aborted. */
function longReads(limits = { concurrency: 1, waiting: 16 }) {
  const begun: { key: number; signal: AbortSignal; end: (error?: Error) => void }[] = [];
  const reads = new LongReads<string>(new BoundedQueue(limits));
  const read = (key: number, deliver: (result: string) => void, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => {
        if (error) reject(error);
        else {
          deliver(`list ${key}`);
          resolve();
        }
      };
      signal.addEventListener("abort", () => reject(new Error("cancelled")));
      begun.push({ key, signal, end });
    });
  const ask = (key: number) => {
    const client = new AbortController();
    const received: string[] = [];
    const outcome = reads.run(
      String(key),
      (deliver, signal) => read(key, deliver, signal),
      async (result) => {
        await setImmediate();
        received.push(result);
      },
      client.signal,
    );
    outcome.catch(() => undefined);
    return { client, received, outcome };
  };
  return { reads, begun, read, ask };
}

const listeners = ({ client }: { client: AbortController }) =>
  getEventListeners(client.signal, "abort").length;

test("a client that is gone already is never read for", async () => {
  const { reads, begun, read } = longReads();
  const receive = () => Promise.resolve();
  await expect(
    reads.run("1", (deliver, signal) => read(1, deliver, signal), receive, AbortSignal.abort()),
  ).rejects.toMatchObject(ABANDONED);
  expect(begun).toEqual([]);
  expect(reads.isAwaited("1")).toBe(false);
});

test("a client that goes away while it waits is never read for, and the next one is", async () => {
  const { reads, begun, ask } = longReads();
  const first = ask(1);
  await setImmediate();
  const gone = ask(2);
  const next = ask(3);
  gone.client.abort();
  expect(reads.isAwaited("2")).toBe(false);
  await expect(gone.outcome).rejects.toMatchObject(ABANDONED);
  begun[0]!.end();
  await first.outcome;
  await setImmediate();
  begun[1]!.end();
  await next.outcome;
  expect(begun.map(({ key }) => key)).toEqual([1, 3]);
  expect(next.received).toEqual(["list 3"]);
});

test("a read is cancelled when the last of its clients is gone, and not before", async () => {
  const { begun, ask } = longReads();
  const [one, other] = [ask(1), ask(1)];
  await setImmediate();
  expect(begun).toHaveLength(1);
  one.client.abort();
  await expect(one.outcome).rejects.toMatchObject(ABANDONED);
  expect(begun[0]!.signal.aborted).toBe(false);
  other.client.abort();
  expect(begun[0]!.signal.aborted).toBe(true);
  await expect(other.outcome).rejects.toMatchObject(ABANDONED);
  const next = ask(2);
  await setImmediate();
  begun[1]!.end();
  await next.outcome; // the place is free again
});

/** A read that goes on until the test says so, whoever leaves. */
function stubbornRead(reads: LongReads<string>, client: AbortSignal) {
  let end: () => void = () => undefined;
  const reading = new Promise<void>((resolve) => (end = resolve));
  const outcome = reads.run(
    "stubborn",
    () => reading,
    () => Promise.resolve(),
    client,
  );
  outcome.catch(() => undefined);
  return { outcome, end };
}

test("closing refuses who waits at once, and waits for what is being read", async () => {
  const { reads } = longReads();
  const { outcome, end } = stubbornRead(reads, new AbortController().signal);
  await setImmediate();
  let isClosed = false;
  const closed = reads.close().then(() => (isClosed = true));
  await expect(outcome).rejects.toMatchObject({ details: { reason: "closing" } });
  await setImmediate();
  expect(isClosed).toBe(false);
  end();
  await closed;
});

test("who comes while a list is read waits for the next read", async () => {
  const { begun, ask } = longReads({ concurrency: 2, waiting: 16 });
  const first = ask(1);
  await setImmediate();
  const second = ask(1);
  await setImmediate();
  begun[1]!.end();
  await second.outcome;
  expect(first.received).toEqual([]);
  begun[0]!.end();
  await first.outcome;
});

test("a failed read fails for all who wait for it, and not for those of the next one", async () => {
  const { begun, ask } = longReads();
  const [one, other] = [ask(1), ask(1)];
  await setImmediate();
  const next = ask(1);
  begun[0]!.end(new Error("broken"));
  await expect(one.outcome).rejects.toThrow("broken");
  await expect(other.outcome).rejects.toThrow("broken");
  await setImmediate();
  begun[1]!.end();
  await next.outcome;
  expect(next.received).toEqual(["list 1"]);
});

test("nothing listens to a client once its request is settled", async () => {
  const { begun, ask } = longReads({ concurrency: 1, waiting: 1 });
  const first = ask(1);
  await setImmediate();
  const waiting = ask(2);
  const refused = ask(3);
  await expect(refused.outcome).rejects.toMatchObject({ details: { reason: "lists" } });
  expect([first, waiting, refused].map(listeners)).toEqual([1, 1, 0]);
  begun[0]!.end();
  await first.outcome;
  await setImmediate();
  begun[1]!.end(new Error("broken"));
  await expect(waiting.outcome).rejects.toThrow("broken");
  expect([first, waiting].map(listeners)).toEqual([0, 0]);
});
