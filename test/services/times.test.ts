import { daysBefore, monthsBefore } from "../../src/vocabulary/times";

test.each([
  ["2026-05-31T12:30:00.001Z", 3, "2026-02-28T12:30:00.001Z"],
  ["2024-05-31T00:00:00.000Z", 3, "2024-02-29T00:00:00.000Z"],
  ["2024-02-29T00:00:00.000Z", 12, "2023-02-28T00:00:00.000Z"],
  ["2026-01-15T23:59:59.999Z", 1, "2025-12-15T23:59:59.999Z"],
  ["2026-03-30T00:00:00.000Z", 18, "2024-09-30T00:00:00.000Z"],
  ["2026-03-01T00:00:00.000Z", 36, "2023-03-01T00:00:00.000Z"],
])("%s, %i months earlier", (time, months, earlier) => {
  expect(monthsBefore(new Date(time), months).toISOString()).toBe(earlier);
});

test("a day is 24 hours", () => {
  const time = new Date("2024-03-01T12:00:00Z");
  expect(daysBefore(time, 2).toISOString()).toBe("2024-02-28T12:00:00.000Z");
});
