import { conflict, unavailable } from "../../src/vocabulary/errors";
import { KeyTurns } from "../../src/services/orders/idempotency-keys";

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
  const turns = new KeyTurns();
  expect(turns.isIdle).toBe(true);
  const [first, second, other] = [controlled(), controlled(), controlled()];
  const results = [
    turns.run("key", first.task),
    turns.run("key", second.task),
    turns.run("other", other.task),
    turns.run("other", () => Promise.resolve("accepted")),
  ];
  first.end("placed");
  other.fail(conflict("refused", { code: "IN_USE" }));
  expect(await results[0]).toBe("placed");
  await expect(results[2]).rejects.toThrow("refused");
  expect(await results[3]).toBe("accepted");
  expect(turns.isIdle).toBe(false);
  second.end("repeated");
  expect(await results[1]).toBe("repeated");
  expect(turns.isIdle).toBe(true);
});

test("requests that wait for one that found no database are told so, and don't each wait for it again", async () => {
  const turns = new KeyTurns();
  const first = controlled();
  const task = jest.fn(() => Promise.resolve("placed"));
  const outcomes = Promise.allSettled([
    turns.run("key", first.task),
    turns.run("key", task),
    turns.run("key", task),
  ]);
  first.fail(unavailable("database"));
  const told = { status: "rejected", reason: unavailable("database") };
  expect(await outcomes).toEqual([told, told, told]);
  expect(task).not.toHaveBeenCalled();
  expect(await turns.run("key", task)).toBe("placed");
});
