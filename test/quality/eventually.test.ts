import { eventually } from "../support/eventually";

let asked = 0;
let outcome: Promise<unknown> = Promise.resolve();

test("what a test still waits for when it ends", () => {
  outcome = eventually(() => {
    asked += 1;
    return false;
  }).catch((error: unknown) => error);
});

test("is not asked for beside the next tests", async () => {
  expect(await outcome).toMatchObject({ message: expect.stringContaining("was over") });
  const before = asked;
  expect(await eventually(() => "an answer")).toBe("an answer");
  expect(asked).toBe(before);
});
