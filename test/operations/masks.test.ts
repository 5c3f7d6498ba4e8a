import { masked } from "../../src/observability/log/masks";
import { hostileTexts } from "../support/hostile-texts";

const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.x-_y";
const LOOKUP = `7.${"k-_9".repeat(10)}abc`;
const HASH = `$2b$12$${"a".repeat(53)}`;

test.each([
  ["two addresses", "ada@a.org,bob@b.org", "a***@a.org,b***@b.org"],
  [
    "an address with an apostrophe",
    "miles.o'brien@a.org",
    expect.not.stringMatching(/miles|brien/),
  ],
  ["an address with signs", "ada=lovelace@a.org", expect.not.stringMatching(/lovelace/)],
  ["an address in other letters", "ådalovelace@exämple.com", expect.not.stringMatching(/lovelace/)],
  ["an encoded address", "/orders/ada.lovelace%40a.org", expect.not.stringMatching(/lovelace/)],
  ["a password with signs", "postgresql://me:pa:ss/w@h/d", expect.not.stringMatching(/pa:ss|\/w@/)],
  ["a token without a signature", "eyJhbGciOiJub25lIn0.eyJpZCI6MX0.", "[token]"],
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
  ["a connection string of the longer scheme", "postgresql://a:b@h", "postgresql://a:***@h"],
  ["a hash after its beginning", `$2a$10$${HASH}`, "$2a$10$[hash]"],
  ["a lookup", `/orders/${LOOKUP}/x`, "/orders/7.[lookup]/x"],
  ["a lookup after its beginning", `7.${LOOKUP} .${LOOKUP}`, "7.7.[lookup] .7.[lookup]"],
  ["an encoded lookup", LOOKUP.replace(".", "%2E"), "7%2E[lookup]"],
  [
    "an encoded lookup before a plain one",
    `${LOOKUP.replace(".", "%2E")}/${LOOKUP}`,
    "7%2E[lookup]/7.[lookup]",
  ],
  ["a lookup that is encoded twice", `/7%20${LOOKUP.replace(".", "%252E")}`, "/7%207%252E[lookup]"],
  ["a lookup among points and percent signs", `1%2E.%.${LOOKUP}%.%2E`, "1%2E.%.7.[lookup]%.%2E"],
  [
    "everything at once",
    `${HASH}/ada@a.org/${TOKEN}/${LOOKUP}`,
    "[hash]/a***@a.org/[token]/7.[lookup]",
  ],
])("%s is masked", (_label, text, expected) => {
  expect(masked(text)).toEqual(expected);
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

// A search that began again at every character would take minutes.
test("a long text that invites to search ahead is masked", () => {
  const texts = hostileTexts(200_000).filter(([name]) => name.endsWith("…!"));
  for (const [, text] of texts) masked(text);
});

test("what is masked stays as it is when it is masked again", () => {
  for (const [name, text] of hostileTexts(500)) {
    expect([name, masked(masked(text))]).toEqual([name, masked(text)]);
  }
});
