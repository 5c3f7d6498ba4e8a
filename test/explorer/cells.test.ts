import { linesOf } from "../../src/explorer/client/answers/audit-changes";
import { linesOfTries } from "../../src/explorer/client/answers/delivery-tries";
import {
  cut,
  enumText,
  instantFormat,
  isoDate,
  toneOf,
} from "../../src/explorer/client/answers/format";
import { NOTHING, toggled, toggledAll } from "../../src/explorer/client/answers/selection";
import { constantOf, counted, headingOf } from "../../src/explorer/client/answers/words";

test("an instant is told where and as its reader is", () => {
  const instant = "2026-07-04T22:30:00.000Z";
  expect(instantFormat("en-GB", "Europe/Berlin")(instant)).toBe("5 Jul 2026, 00:30");
  expect(instantFormat("de", "UTC")(instant)).toBe("04.07.2026, 22:30");
  expect(instantFormat("en-GB", "UTC")("soon")).toBeUndefined();
});

test("a long text is cut between characters", () => {
  expect(cut("a".repeat(80))).toBeUndefined();
  expect(cut("a".repeat(81))).toBe(`${"a".repeat(80)}…`);
  expect(cut("🍵".repeat(80))).toBeUndefined();
  expect(cut("🍵".repeat(5000))).toBe(`${"🍵".repeat(80)}…`);
});

test("known words have a tone, and all others none", () => {
  expect(["PAID", "PENDING", "CANCELLED", "OOLONG"].map(toneOf)).toEqual([
    "done",
    "open",
    "off",
    "plain",
  ]);
});

test("names are told as words", () => {
  expect(headingOf("customerEmail")).toBe("Customer email");
  expect(headingOf("category", "name")).toBe("Category name");
  expect(headingOf("NOT_YET_PAID")).toBe("Not yet paid");
  expect(["NOT_YET_PAID", "GRAPHQL", "REST"].map(enumText)).toEqual([
    "Not yet paid",
    "GraphQL",
    "REST",
  ]);
  expect(constantOf("createdAt")).toBe("CREATED_AT");
  expect([counted(1, "item"), counted(1200, "item")]).toEqual(["1 item", "1,200 items"]);
});

test("what a change has set is told line by line", () => {
  const change = (field: string, before: string | null, after: string | null) => ({
    field,
    before,
    after,
  });
  expect(
    linesOf([
      change("price", "8.00", "8.80"),
      change("description", "", null),
      change("items.17.quantity", "1", "2"),
      change("password", null, null),
    ]),
  ).toEqual([
    "Price: 8.00 → 8.80",
    "Description: empty → none",
    "Item 17 quantity: 1 → 2",
    "Password: changed",
  ]);
  const whole = [change("email", null, "ada@example.com"), change("createdAt", null, "2026")];
  expect(linesOf([...whole, change("password", null, null)])).toEqual([
    "Created",
    "Email: ada@example.com",
    "Created at: 2026",
  ]);
  const gone = whole.map(({ field, after }) => change(field, after, null));
  expect(linesOf(gone, (text, field) => `${field} ${text}`)).toEqual([
    "Deleted",
    "Email: email ada@example.com",
    "Created at: createdAt 2026",
  ]);
  // Of an erased customer, only the tombstone is left.
  expect(linesOf([change("email", null, "erased@erased.invalid")])).toEqual([
    "Email: none → erased@erased.invalid",
  ]);
  expect(linesOf([])).toEqual([]);
});

test("a file is named by the day", () => {
  expect(isoDate(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
});

test("rows are selected one by one, by range and all at once", () => {
  const all = ["a", "b", "c", "d", "e"];
  const one = toggled(NOTHING, all, "d", false);
  const range = toggled(one, all, "b", true);
  expect([...range.keys].sort()).toEqual(["b", "c", "d"]);
  expect([...toggled(range, all, "c", false).keys].sort()).toEqual(["b", "d"]);
  expect([...toggled(range, all, "d", true).keys]).toEqual([]);
  expect([...toggled(NOTHING, all, "c", true).keys]).toEqual(["c"]);
  expect([...toggledAll(one, all).keys]).toEqual(all);
  expect([...toggledAll(toggledAll(one, all), all).keys]).toEqual([]);
});

test("how each attempt of a delivery ended is told line by line", () => {
  const at = "2026-07-04T22:30:00.000Z";
  const tries = [
    { at, status: null, fault: "no answer within 15 s", answer: "" },
    { at, status: 500, fault: null, answer: "Out of stock" },
    { at, status: 204, fault: null, answer: "" },
    { at, status: 200, fault: "the answer broke off", answer: "Tha" },
  ];
  const ends = ["no answer within 15 s", "500, “Out of stock”", "204"];
  expect(linesOfTries(tries)).toEqual(
    [...ends, "200, the answer broke off, “Tha”"].map((end) => `${at}: ${end}`),
  );
  expect(
    linesOfTries(
      tries.slice(1, 2),
      () => "today",
      () => "Out…",
    ),
  ).toEqual(["today: 500, “Out…”"]);
  expect(linesOfTries([{ status: 500 }])).toEqual(["500"]);
  expect(linesOfTries(null)).toEqual([]);
});
