import { execute, type GraphqlAnswer } from "../graphql/client";
import { useApp } from "../support/app";
import { clauseEach } from "../support/clause";
import { expectRefused } from "../support/refusals";
import { storingNothing } from "../support/stored";

jest.setTimeout(60_000);

let categoryId: number;
let productId: number;
const app = useApp();
beforeAll(async () => {
  ({ id: productId, category_id: categoryId } = await app.make.product());
});

type Send = (text: unknown) => PromiseLike<{ status: number; body: Record<string, unknown> }>;

const createCategory: Send = (name) =>
  app.http.post("/categories").set("Authorization", app.asAdmin).send({ name });
const renameCategory: Send = (name) =>
  app.http.patch(`/categories/${categoryId}`).set("Authorization", app.asAdmin).send({ name });
const createProduct: Send = (name) =>
  app.http
    .post("/products")
    .set("Authorization", app.asAdmin)
    .send({ name, price: "1.00", categoryId });
const describeProduct: Send = (description) =>
  app.http
    .post("/products")
    .set("Authorization", app.asAdmin)
    .send({ name: "Described", description, price: "1.00", categoryId });
const order: Send = (customerEmail) =>
  app.http.post("/orders").send({ customerEmail, items: [{ productId, quantity: 1 }] });

/** Expects a refusal with one message, and nothing to be stored. */
async function expectRefusedText(send: Send, text: unknown, message: string): Promise<void> {
  expectRefused(await storingNothing(app, () => send(text)), 400, [message]);
}

const CUP = "\u{1F375}";
const FAMILY = "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}";
const SCOTLAND = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";

clauseEach<[name: string, stored: string]>(
  "4.texts.names",
  "names have 1 to 120 code points, stored trimmed",
  {
    "one character": ["a", "a"],
    "one astral character": [CUP, CUP],
    "120 characters": ["a".repeat(120), "a".repeat(120)],
    "120 astral characters": [CUP.repeat(120), CUP.repeat(120)],
    "120 characters after trimming": [` \t${"a".repeat(120)}\n `, "a".repeat(120)],
    "spaces around": ["  Green  tea ", "Green  tea"],
    "a no-break space around": ["\u00A0Green\u3000", "Green"],
    "markup, as it is": ["<b>&amp;'\"", "<b>&amp;'\""],
    "unnormalised letters": ["Cafe\u0301", "Cafe\u0301"],
    "an emoji of several that joiners hold together": [FAMILY, FAMILY],
    "a heart with a variation selector": ["\u2764\uFE0F", "\u2764\uFE0F"],
    "a flag of tag characters": [SCOTLAND, SCOTLAND],
    "Persian with a non-joiner": ["چای\u200Cسبز", "چای\u200Cسبز"],
    "one letter among what shows nothing": ["\u200Ba\u3164", "\u200Ba\u3164"],
    "a sign that stands before Arabic numbers": ["\u0600", "\u0600"],
  },
  async ([name, stored]) => {
    for (const [table, send] of [
      ["categories", createCategory],
      ["categories", renameCategory],
      ["products", createProduct],
    ] as const) {
      const { status, body } = await send(name);
      expect([status < 300, body.name]).toEqual([true, stored]);
      expect(await app.sql(`SELECT name FROM ${table} WHERE id = $1`, [body.id])).toEqual([
        { name: stored },
      ]);
    }
  },
);

const TOO_LONG = "name must be shorter than or equal to 120 characters";

clauseEach<[name: unknown, message: string]>(
  "4.texts.names",
  "other names are refused and nothing is stored",
  {
    empty: ["", "name should not be empty"],
    spaces: [" \t\n\u00A0", "name should not be empty"],
    "121 characters": ["a".repeat(121), TOO_LONG],
    "121 astral characters": [CUP.repeat(121), TOO_LONG],
    NUL: ["Green\0", "name must be well-formed Unicode without NUL"],
    "a lone surrogate": ["Green\uD83C", "name must be well-formed Unicode without NUL"],
    null: [null, "name must be a string"],
    "a number": [7, "name must be a string"],
    true: [true, "name must be a string"],
    "a list": [["Green"], "name must be a string"],
    "an object": [{}, "name must be a string"],
  },
  async ([name, message]) => {
    for (const send of [createCategory, renameCategory, createProduct]) {
      await expectRefusedText(send, name, message);
    }
  },
);

/** What a client that names a thing through GraphQL is told, as REST would tell it. */
const renameThroughGraphql: Send = async (name) => {
  const query = `mutation ($name: String) { updateProduct(id: ${productId}, input: { name: $name }) { name } }`;
  return asRest(await execute(app, { query, variables: { name } }, app.asAdmin));
};
const createThroughGraphql: Send = async (name) => {
  const query = `mutation ($name: String!) { createCategory(input: { name: $name }) { name } }`;
  return asRest(await execute(app, { query, variables: { name } }, app.asAdmin));
};
const asRest = ({ body: { data, errors } }: GraphqlAnswer) => {
  const body = errors?.[0]?.extensions.http ?? Object.values(data ?? {})[0];
  return { status: errors ? 400 : 200, body: body as Record<string, unknown> };
};

clauseEach(
  "4.texts.names",
  "a name that shows nothing is refused as empty",
  { doors: ["REST", "GraphQL"] },
  {
    "a zero-width space": "\u200B",
    "joiners alone": "\u200C\u200D\u2060",
    "a byte order mark": "\uFEFF",
    "a soft hyphen": "\u00AD",
    "direction marks and isolates": "\u200E\u202E\u2066\u2069",
    "variation selectors alone": "\uFE0F\u{E0100}",
    "tag characters alone": "\u{E0067}\u{E007F}",
    "control characters": "\u0001\u001B\u007F\u0085",
    NUL: "\0",
    "line and paragraph separators": "\u2028\u2029",
    "Hangul fillers": "\u3164\u115F\u1160\uFFA0",
    "a blank Braille pattern": "\u2800",
    "a blank note and blank hieroglyphs": "\u{1D159}\u{13441}\u{13442}",
    "a combining grapheme joiner": "\u034F",
    "interlinear annotation marks": "\uFFF9\uFFFA\uFFFB",
    "a mixture, around spaces": " \u200B \u2800\t\u00AD ",
    "more than 120 of them": "\u200B".repeat(300),
  },
  async (name) => {
    for (const send of [
      ...[createCategory, renameCategory, createProduct],
      ...[createThroughGraphql, renameThroughGraphql],
    ]) {
      await expectRefusedText(send, name, "name should not be empty");
    }
  },
);

clauseEach(
  "4.texts.descriptions",
  "descriptions have at most 5,000 code points and are stored as given",
  {
    empty: "",
    "spaces around": "  First flush.\n\n ",
    "5,000 characters": "a".repeat(5000),
    "5,000 astral characters": CUP.repeat(5000),
  },
  async (description) => {
    const { status, body } = await describeProduct(description);
    expect([status, body.description]).toEqual([201, description]);
    expect(await app.sql("SELECT description FROM products WHERE id = $1", [body.id])).toEqual([
      { description },
    ]);
  },
);

const DESCRIPTION_TOO_LONG = "description must be shorter than or equal to 5000 characters";

clauseEach<[description: unknown, message: string]>(
  "4.texts.descriptions",
  "other descriptions are refused and nothing is stored",
  {
    "5,001 characters": ["a".repeat(5001), DESCRIPTION_TOO_LONG],
    "5,001 astral characters": [CUP.repeat(5001), DESCRIPTION_TOO_LONG],
    NUL: ["\0", "description must be well-formed Unicode without NUL"],
    "a lone surrogate": ["\uDC00", "description must be well-formed Unicode without NUL"],
    null: [null, "description must be a string"],
    "a number": [7, "description must be a string"],
    "a list": [[], "description must be a string"],
  },
  ([description, message]) => expectRefusedText(describeProduct, description, message),
);

/** A valid address of a length: labels of at most 63 characters after a local part of 64. */
function addressOf(length: number): string {
  const domain = `.${"b".repeat(63)}.${"c".repeat(61)}.example.com`;
  const first = length - 64 - 1 - domain.length;
  return `${"a".repeat(64)}@${"d".repeat(first)}${domain}`;
}

clauseEach(
  "4.texts.e-mails",
  "a customer's address is stored as given",
  {
    plain: "customer@example.com",
    capitals: "Customer.Name@Example.COM",
    "a tag": "customer+tea@example.com",
    "a blank in quotes": '"tea customer"@example.com',
    "254 characters": addressOf(254),
  },
  async (customerEmail) => {
    const { status, body } = await order(customerEmail);
    expect([status, body.customerEmail]).toEqual([201, customerEmail]);
    expect(await app.sql("SELECT customer_email FROM orders WHERE id = $1", [body.id])).toEqual([
      { customer_email: customerEmail },
    ]);
  },
);

clauseEach<unknown>(
  "4.texts.e-mails",
  "what is no e-mail address is refused as a customer's and nothing is stored",
  {
    empty: "",
    "no at": "example.com",
    "no domain": "customer@",
    "no local part": "@example.com",
    "two ats": "a@b@example.com",
    "a space": "cus tomer@example.com",
    "spaces around": " customer@example.com ",
    "a name": "Customer <customer@example.com>",
    "255 characters": addressOf(255),
    NUL: "cust\0omer@example.com",
    "a lone surrogate": "cust\uD800omer@example.com",
    "ESC in quotes": '"cust\u001b[2Jomer"@example.com',
    "BEL in quotes": '"cust\u0007omer"@example.com',
    "a line end in quotes": '"cust\r\nomer"@example.com',
    "a tab in quotes": '"cust\tomer"@example.com',
    "DEL in quotes": '"cust\u007fomer"@example.com',
    "C1 in quotes": '"cust\u009b2Jomer"@example.com',
    null: null,
    nothing: undefined,
    "a number": 7,
    "a list": ["customer@example.com"],
    "an object": { address: "customer@example.com" },
  },
  (customerEmail) => expectRefusedText(order, customerEmail, "customerEmail must be an email"),
);
