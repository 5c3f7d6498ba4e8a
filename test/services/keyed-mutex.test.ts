import { conflict, unavailable } from "../../src/vocabulary/errors";
import { KeyedMutex } from "../../src/services/orders/idempotency-keys";

// What waits for what is seen by clients in test/idempotency.

/** A task that ends when the test says so. */
function controlled() {
  let end!: (result: string) => void;
  let fail!: (fault: Error) => void;
  const result = new Promise<string>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  return { task: () => result, end, fail };
}

test("nothing is kept of a key when its last request is over, or the memory would fill up", async () => {
  const mutex = new KeyedMutex();
  expect(mutex.isIdle).toBe(true);
  const [first, second, other] = [controlled(), controlled(), controlled()];
  const results = [
    mutex.run("key", first.task),
    mutex.run("key", second.task),
    mutex.run("other", other.task),
    mutex.run("other", () => Promise.resolve("accepted")),
  ];
  first.end("placed");
  other.fail(conflict("refused", { code: "IN_USE" }));
  expect(await results[0]).toBe("placed");
  await expect(results[2]).rejects.toThrow("refused");
  expect(await results[3]).toBe("accepted");
  expect(mutex.isIdle).toBe(false);
  second.end("repeated");
  expect(await results[1]).toBe("repeated");
  expect(mutex.isIdle).toBe(true);
});

test("requests that wait for one that found no database are told so, and don't each wait for it again", async () => {
  const mutex = new KeyedMutex();
  const first = controlled();
  const task = jest.fn(() => Promise.resolve("placed"));
  const outcomes = Promise.allSettled([
    mutex.run("key", first.task),
    mutex.run("key", task),
    mutex.run("key", task),
  ]);
  first.fail(unavailable("database"));
  const told = { status: "rejected", reason: unavailable("database") };
  expect(await outcomes).toEqual([told, told, told]);
  expect(task).not.toHaveBeenCalled();
  expect(await mutex.run("key", task)).toBe("placed");
});
