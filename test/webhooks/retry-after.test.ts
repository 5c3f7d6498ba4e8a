import { retryAfter } from "../../src/webhooks/answer";

const now = new Date("2026-05-01T12:30:00.000Z");

test.each<[unknown, number | null]>([
  ["0", 0],
  ["120", 120_000],
  ["0120", 120_000],
  ["9".repeat(400), Number.MAX_SAFE_INTEGER],
  ["Fri, 01 May 2026 12:31:30 GMT", 90_000],
  ["Fri, 01 May 2026 12:30:00 GMT", 0],
  ["Fri, 01 May 2026 12:00:00 GMT", 0],
  ["Sat, 02 May 2026 12:30:00 GMT", 86_400_000],
  [undefined, null],
  ["", null],
  ["-1", null],
  ["1.5", null],
  ["1e3", null],
  ["0x10", null],
  ["120 s", null],
  ["soon", null],
  ["2026-05-01T12:31:30Z", null],
  ["Fri, 01 May 2026 12:31:30", null],
  ["Fri, 01 May 2026 99:31:30 GMT", null],
  ["xFri, 01 May 2026 12:31:30 GMT", null],
  [["120", "240"], null],
])("%p asks for %p milliseconds", (header, milliseconds) => {
  expect(retryAfter(header, now)).toBe(milliseconds);
});
