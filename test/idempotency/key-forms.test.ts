import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { everythingStored } from "../support/stored";
import { atGraphql, atRest, orderCount, post, storedKeys, type OrderBody } from "./place";
import { expectRefused, extensionsOf } from "../support/refusals";

let body: OrderBody;
const app = useApp();
beforeAll(async () => {
  const { id } = await app.make.product();
  body = { customerEmail: "mina@example.com", items: [{ productId: id, quantity: 2 }] };
});

const MESSAGE = "idempotencyKey must be 1 to 255 visible ASCII characters";

clauseEach<[key: string, stored: string]>(
  "4.keys.form",
  "what is a key is one at both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "one character": ["k", "k"],
    "255 characters": ["k".repeat(255), "k".repeat(255)],
    punctuation: ["!#$%&'()*+,-./:;<=>?@[]^_`{|}~", "!#$%&'()*+,-./:;<=>?@[]^_`{|}~"],
    "quotes within": ['a"b', 'a"b'],
    quoted: ['"quoted-key"', "quoted-key"],
    "quoted, of 255 characters": [`"${"q".repeat(255)}"`, "q".repeat(255)],
    "quoted, with an escaped quote": ['"a\\"c"', 'a"c'],
    "quoted, with an escaped backslash": ['"a\\\\c"', "a\\c"],
    "quoted, with nothing but escapes": ['"\\"\\\\\\""', '"\\"'],
    "quoted, of 255 characters that are escaped": [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
    "a prototype's name": ["__proto__", "__proto__"],
  },
  async ([key, stored]) => {
    const orders = await orderCount(app);
    const first = await atRest(app, body, { key });
    const again = await atGraphql(app, body, { key });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.order?.id).toBe(first.order?.id);
    expect(await orderCount(app)).toBe(orders + 1);
    expect(await storedKeys(app)).toContain(stored);
  },
);

clause("4.keys.form", "keys differ by letter case", async () => {
  const lower = await atRest(app, body, { key: "case" });
  const upper = await atRest(app, body, { key: "CASE" });
  expect(upper.order?.id).not.toBe(lower.order?.id);
});

clauseEach(
  "4.keys.form",
  "what is no key is refused at both doors, and nothing is stored",
  { doors: ["REST", "GraphQL"] },
  {
    empty: "",
    "quoted and empty": '""',
    "a space within": "a b",
    "256 characters": "k".repeat(256),
    "quoted, of 256 characters": `"${"k".repeat(256)}"`,
    "quoted, of 256 characters that are escaped": `"${'\\"'.repeat(256)}"`,
    "an accent": "clé",
    "nothing but a quote": '"',
    "a quote that is not escaped": '"a"b"',
    "an escape at the end": '"ab\\"',
    "parameters behind the quotes": '"abc";a=1',
  },
  async (key) => {
    const before = await everythingStored(app);
    expectRefused(await post(app, body, { key }), 400, [MESSAGE]);
    const { error } = await atGraphql(app, body, { key });
    expect(error?.extensions).toEqual(extensionsOf(400, [MESSAGE]));
    expect(await everythingStored(app)).toEqual(before);
  },
);

clauseEach(
  "4.keys.form",
  "a repeated header is refused",
  { bare: ["one", "two"], "the same twice": ["one", "one"], quoted: ['"one"', '"two"'] },
  async (key) => {
    const before = await everythingStored(app);
    expect((await post(app, body, { key })).status).toBe(400);
    expect(await everythingStored(app)).toEqual(before);
  },
);

test.each([
  ["beyond ASCII", "🍵"],
  ["NUL", "a\0b"],
  ["a line break", "a\nb"],
  ["a lone surrogate", "a\ud800"],
])("GraphQL refuses a key that no header could hold: %s", async (_label, key) => {
  const before = await everythingStored(app);
  const { error } = await atGraphql(app, body, { key });
  expect(error?.extensions.http.message).toEqual([MESSAGE]);
  expect(await everythingStored(app)).toEqual(before);
});
