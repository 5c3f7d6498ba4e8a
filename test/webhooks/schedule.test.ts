import { pauseAfter } from "../../src/webhooks/schedule";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const shortest = (): number => 0;
const longest = (): number => 1;

test("a message is tried ten times in about three days", () => {
  const pauses = Array.from({ length: 12 }, (_, tries) => pauseAfter(tries, null, shortest));

  expect(pauses).toEqual([
    0,
    5 * SECOND,
    5 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    DAY,
    undefined,
    undefined,
  ]);
});

test.each<[string, number, number | null, number | undefined]>([
  ["more than the pause counts", 1, MINUTE, MINUTE],
  ["less than the pause does not count", 3, MINUTE, 30 * MINUTE],
  ["nothing does not count", 2, 0, 5 * MINUTE],
  ["a day counts", 1, DAY, DAY],
  ["more than a day counts as a day", 1, DAY + 1, DAY],
  ["more than anybody can wait for counts as a day", 9, Number.MAX_SAFE_INTEGER, DAY],
  ["anything does not add an eleventh try", 10, SECOND, undefined],
])("what the receiver asks for: %s", (_, tries, retryAfter, pause) => {
  expect(pauseAfter(tries, retryAfter, shortest)).toBe(pause);
});

test.each<[number, number | null, number]>([
  [1, null, 5_500],
  [2, null, 330_000],
  [1, 60_000, 66_000],
  [9, null, 95_040_000],
])(
  "after %i tries, and %p asked for, the pause is at most a tenth longer",
  (tries, asked, most) => {
    expect(pauseAfter(tries, asked, longest)).toBe(most);
  },
);

test("pauses differ, and are whole milliseconds within their bounds", () => {
  const pauses = Array.from({ length: 100 }, () => pauseAfter(2, null)!);

  expect(new Set(pauses).size).toBeGreaterThan(1);
  for (const pause of pauses) {
    expect(Number.isInteger(pause)).toBe(true);
    expect(pause).toBeGreaterThanOrEqual(5 * MINUTE);
    expect(pause).toBeLessThanOrEqual(5.5 * MINUTE);
  }
});
