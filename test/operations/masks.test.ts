import { masked } from "../../src/observability/log/masks";
import { hostileTexts, LARGE } from "../support/hostile-texts";
import { inParts } from "../support/repetitions";

const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.x-_y";
const LOOKUP = `7.${"k-_9".repeat(10)}abc`;
const HASH = `$2b$12$${"a".repeat(53)}`;

test.each([
  ["a name with a sign", "ada@lovelace@example.com", "a***@example.com"],
  ["an address after another as its name", "/ada%40a.org%40b.org", "/a***%40b.org"],
  ["an address that is encoded twice", "/ada%2540example.com", "/a***%2540example.com"],
  ["an address that is encoded three times", "/ada%252540example.com", "/a***%252540example.com"],
  ["an address that is encoded throughout", "/ada%40%65xample.com", "/a***%40%65xample.com"],
  ["a quoted name in plain text", '/"ada.love"@example.com', "/***@example.com"],
  ["a quoted name at the start", '"ada love"@a.org', "***@a.org"],
  ["a quoted name in JSON", '{"msg":"\\"ada love\\"@a.org"}', '{"msg":"***@a.org"}'],
  ["an address at the start of JSON's text", '{"msg":"ada@a.org"}', '{"msg":"a***@a.org"}'],
  ["an address that follows a quoted text", '"x" ada@a.org', '"x" a***@a.org'],
  ["a second token", `${TOKEN} ${TOKEN}`, "[token] [token]"],
  ["a token after its beginning", `eyJ.eyJ.${TOKEN}`, "eyJ.eyJ.[token]"],
  ["a token after half a token", `eyJa.eyJb ${TOKEN}`, "eyJa.eyJb [token]"],
  [
    "a connection string after its beginning",
    "postgres://postgres://a:b@h",
    "postgres://postgres:***@h",
  ],
  [
    "a connection string after half of one",
    "postgres://a:b postgres://a:b@h",
    "postgres://a:b postgres://a:***@h",
  ],
  ["a connection string of the longer scheme", "postgresql://a:b@h", "postgresql://a:***@h"],
  ["a hash after its beginning", `$2a$10$${HASH}`, "$2a$10$[hash]"],
  ["a lookup", `/orders/${LOOKUP}/x`, "/orders/7.[lookup]/x"],
  ["a lookup after its beginning", `7.${LOOKUP} .${LOOKUP}`, "7.7.[lookup] .7.[lookup]"],
  ["a lookup with more behind it", `/${LOOKUP}-/${LOOKUP}x`, "/7.[lookup]/7.[lookup]"],
  ["an encoded lookup", LOOKUP.replace(".", "%2E"), "7%2E[lookup]"],
  ["a lookup after a point at the start", `./${LOOKUP}`, "./7.[lookup]"],
  [
    "an encoded lookup before a plain one",
    `${LOOKUP.replace(".", "%2E")}/${LOOKUP}`,
    "7%2E[lookup]/7.[lookup]",
  ],
  ["an encoded lookup in small letters", LOOKUP.replace(".", "%2e"), "7%2e[lookup]"],
  ["a lookup that is encoded twice", `/7%20${LOOKUP.replace(".", "%252E")}`, "/7%207%252E[lookup]"],
  ["a lookup among points and percent signs", `1%2E.%.${LOOKUP}%.%2E`, "1%2E.%.7.[lookup]%.%2E"],
  [
    "everything at once",
    `${HASH}/ada@a.org/${TOKEN}/${LOOKUP}`,
    "[hash]/a***@a.org/[token]/7.[lookup]",
  ],
])("%s is masked", (_label, text, expected) => {
  expect(masked(text)).toBe(expected);
});

test.each([
  ["a path", "/products/7"],
  ["a package's path in a stack", "at x (/app/node_modules/@apollo/server/index.js:1:2)"],
  ["a word that only begins as a token does", "eyJust eyJust. eyJust.a"],
  ["a token without a payload", "eyJa..a"],
  ["a connection string without a password", "postgres://host:5432/d"],
  ["a connection string with an empty password", "postgres://a:@h"],
  ["an escaped quote before a sign, beside one of JSON's", '{"msg":"\\"@a.org"}'],
  ["a percent sign", "/100%/a%20b"],
  ["a text that is shorter than a lookup", LOOKUP.slice(0, -1)],
  ["an encoded text that is shorter", LOOKUP.slice(0, -1).replace(".", "%2E")],
  ["a long text behind another encoded sign", LOOKUP.replace(".", "%2F")],
  ["a name of the length of a lookup", `a.${LOOKUP.slice(2)}`],
  ["a share", "5 @ 7"],
])("%s stays as it is", (_label, text) => {
  expect(masked(text)).toBe(text);
});

test("what is masked stays as it is when it is masked again", () => {
  for (const [name, text] of hostileTexts(500)) {
    expect([name, masked(masked(text))]).toEqual([name, masked(text)]);
  }
});

type Native = (this: unknown, ...args: never[]) => unknown;

/** What each native function costs, in the characters that it looks at or copies. */
const costs: [
  owner: object,
  method: string,
  cost: (text: string, args: unknown[], result: unknown) => number,
][] = [
  [RegExp.prototype, "test", (_, [text]) => String(text).length],
  [
    String.prototype,
    "indexOf",
    (text, [, from = 0], at) => (at === -1 ? text.length : Number(at) + 1) - Number(from),
  ],
  [String.prototype, "includes", (text) => text.length],
  [String.prototype, "startsWith", (_, [sought]) => String(sought).length],
  [String.prototype, "slice", (_text, _args, part) => String(part).length],
];

/** How many characters are looked at while `work` runs. */
function steps(work: () => void): number {
  let count = 0;
  const restore = costs.map(([owner, method, cost]) => {
    const original = Reflect.get(owner, method) as Native;
    const counting: Native = function (...args) {
      const result = Reflect.apply(original, this, args);
      count += cost(String(this), args, result);
      return result;
    };
    Reflect.set(owner, method, counting);
    return () => Reflect.set(owner, method, original);
  });
  try {
    work();
  } finally {
    for (const each of restore) each();
  }
  return count;
}

/** Each of four passes copies the text once, and looks a few times at most at a character. */
const STEPS_PER_CHARACTER = 25;

test("masking looks a bounded number of times at each character of a hostile text", () => {
  const nextPlaces = inParts([...hostileTexts().keys()], 4);
  for (const length of [LARGE / 2, LARGE]) {
    const texts = hostileTexts(length);
    for (const [name, text] of nextPlaces().map((place) => texts[place]!)) {
      const perCharacter = steps(() => masked(text)) / text.length;
      expect([name, perCharacter < STEPS_PER_CHARACTER || perCharacter]).toEqual([name, true]);
    }
  }
});

test("the count of steps sees a search that begins again at every character", () => {
  const again = (text: string) => {
    for (let at = 0; at < text.length; at += 1) text.indexOf("@", at);
  };
  expect(steps(() => again("a".repeat(LARGE))) / LARGE).toBeGreaterThan(STEPS_PER_CHARACTER);
});
