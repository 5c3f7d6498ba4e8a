import { BoundedQueue } from "../../src/vocabulary/bounded-queue";

/** What who is refused is told, and what metrics count it as. */
const BUSY = { code: "UNAVAILABLE", details: { reason: "lists" } };

const task = () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { run: () => ended, end: () => end() };
};

test("who has waited too long is refused, and takes no place from those behind", async () => {
  const queue = new BoundedQueue({ concurrency: 1, waiting: 2, patience: 5 });
  const first = task();
  const running = queue.run(first.run);
  await expect(queue.run(() => Promise.resolve())).rejects.toMatchObject(BUSY);
  first.end();
  await running;
  expect(await queue.run(() => Promise.resolve("served"))).toBe("served");
});

test("whose client is gone already is refused, and so is who goes while it waits", async () => {
  const queue = new BoundedQueue({ concurrency: 1, waiting: 1 });
  const abandoned = { code: "UNAVAILABLE", details: { reason: "abandoned" } };
  const never = jest.fn(() => Promise.resolve());
  await expect(queue.run(never, AbortSignal.abort())).rejects.toMatchObject(abandoned);
  const first = task();
  const running = queue.run(first.run);
  const client = new AbortController();
  const waiting = queue.run(never, client.signal);
  client.abort();
  await expect(waiting).rejects.toMatchObject(abandoned);
  // The place among those that wait is free again.
  const behind = queue.run(() => Promise.resolve("served"));
  first.end();
  await running;
  expect(await behind).toBe("served");
  expect(never).not.toHaveBeenCalled();
});

test("whose client goes after its turn has come takes no place from those behind", async () => {
  const queue = new BoundedQueue({ concurrency: 1, waiting: 2 });
  const [first, second] = [task(), task()];
  const client = new AbortController();
  const running = [queue.run(first.run), queue.run(second.run, client.signal)];
  first.end();
  await running[0];
  const behind = queue.run(() => Promise.resolve("served"));
  client.abort();
  second.end();
  await running[1];
  expect(await behind).toBe("served");
});
