import { webhookBody } from "../../src/webhooks/message";

const at = new Date("2026-05-01T12:30:00.250Z");

const bodyOf = (data: Record<string, unknown>): string =>
  webhookBody({ type: "order.placed", at, data });

const dataIn = (body: string): Record<string, unknown> =>
  (JSON.parse(body) as { data: Record<string, unknown> }).data;

/** How many bytes a body has besides the text of its one long member. */
const FRAME = Buffer.byteLength(bodyOf({ id: 7, text: "" }));

test("a body has the type, the time and the data of its event, in this order", () => {
  expect(bodyOf({ id: 7, version: 2, status: "paid", note: null })).toBe(
    '{"type":"order.placed","timestamp":"2026-05-01T12:30:00.250Z",' +
      '"data":{"id":7,"version":2,"status":"paid","note":null}}',
  );
});

test.each([
  ["of one byte", "a", 1],
  ["of four bytes", "🍵", 4],
  ["that JSON escapes", "\u0001", 6],
])("a body of characters %s has fewer than 20,000 bytes", (_, character, bytes) => {
  const most = Math.floor((19_999 - FRAME) / bytes);
  const [whole, tooLong] = [most, most + 1].map((count) =>
    bodyOf({ id: 7, text: character.repeat(count) }),
  );
  expect(dataIn(whole!)).toEqual({ id: 7, text: character.repeat(most) });
  expect(Buffer.byteLength(whole!)).toBeLessThan(20_000);
  expect(dataIn(tooLong!)).toEqual({ id: 7, omitted: ["text"] });
});

test.each<[string, Record<string, unknown>, string[]]>([
  [
    "the longest alone, if that is enough",
    { id: 7, a: "a".repeat(9_000), b: "b".repeat(15_000), c: 3 },
    ["b"],
  ],
  [
    "the longest two, named in order",
    { id: 7, z: "z".repeat(12_000), m: "m".repeat(9_000), b: "b".repeat(11_000), c: 3 },
    ["b", "z"],
  ],
  [
    "the one of more bytes, not the one of more characters",
    { id: 7, a: "a".repeat(9_900), b: "🍵".repeat(3_000) },
    ["b"],
  ],
  [
    "lists and objects as well as texts",
    { id: 7, items: Array.from({ length: 4_000 }, (_, id) => ({ id })), a: { b: "c" } },
    ["items"],
  ],
  [
    "never id and version, however long they are",
    { id: "7".repeat(9_000), version: "2".repeat(9_000), a: "a".repeat(3_000), b: 1 },
    ["a"],
  ],
])("what is left out: %s", (_, data, omitted) => {
  const body = bodyOf(data);
  const left = Object.entries(data).filter(([name]) => !omitted.includes(name));
  expect(dataIn(body)).toEqual({ ...Object.fromEntries(left), omitted });
  expect(Buffer.byteLength(body)).toBeLessThan(20_000);
});

test("members without a value are neither shown nor named", () => {
  expect(dataIn(bodyOf({ id: 7, gone: undefined, text: "a".repeat(20_000) }))).toEqual({
    id: 7,
    omitted: ["text"],
  });
});
