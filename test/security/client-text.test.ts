import { readdirSync } from "node:fs";
import path from "node:path";
import { getMetadataStorage } from "class-validator";
import type { Request } from "express";
import { DomainError } from "../../src/vocabulary/errors";
import { DateTime } from "../../src/graphql/schema/scalars";
import { bearerToken } from "../../src/http/request/bearer-token";
import { pathOf } from "../../src/http/request/well-formed";
import { Money } from "../../src/vocabulary/money";
import { masked } from "../../src/observability/log/masks";
import { idParameter, orderFilterParameters, parseQuery } from "../../src/rest/parameters";
import { ProductSortField } from "../../src/services/catalogue/inputs/product-sort";
import { productOrder } from "../../src/services/catalogue/product-order";
import { decodeCursor } from "../../src/lists/keyset";
import { productConditions } from "../../src/services/catalogue/product-query";
import { slugOf } from "../../src/services/catalogue/slugs";
import { validate } from "../../src/services/input/validate";
import { foldCase, isEmailAddress } from "../../src/vocabulary/text/email-address";
import { passwordFault } from "../../src/vocabulary/text/password";
import { codePoints, isStorable } from "../../src/vocabulary/text/unicode";
import { useApp } from "../support/app";
import { hostileTexts } from "../support/hostile-texts";
import { send, sendJson } from "../support/raw-http";
import { errorBody } from "../support/refusals";

jest.setTimeout(60_000);

const app = useApp({ http: { corsOrigins: ["localhost"] } });

type Reader = (text: string) => unknown;

const SERVICES = path.join(__dirname, "../../src/services");

/** The modules of the input classes. */
const inputFiles = readdirSync(SERVICES, { recursive: true, encoding: "utf8" }).filter((file) =>
  /(\/inputs\/|-input\.ts$)/.test(file),
);

/** The rules of every field of every input class. */
async function fieldRules(): Promise<Record<string, Reader>> {
  const modules = await Promise.all(
    inputFiles.map((file) => import(path.join(SERVICES, file)) as Promise<object>),
  );
  const rules: Record<string, Reader> = {};
  for (const [name, Input] of modules.flatMap((each) => Object.entries(each))) {
    const metadata = getMetadataStorage().getTargetValidationMetadatas(Input, "", false, false);
    for (const { propertyName } of metadata) {
      rules[`${name}.${propertyName}`] = (text) => validate(Input, { [propertyName]: text });
    }
  }
  return rules;
}

/** Everything else of ours that reads what a client chose. */
const readers: Record<string, Reader> = {
  masked,
  pathOf,
  codePoints,
  foldCase,
  isEmailAddress,
  isStorable,
  passwordFault,
  price: (text) => Money.parse(text),
  time: (text) => DateTime.parseValue(text),
  slugOf: (text) => slugOf(text, "product"),
  search: (text) => productConditions({ filter: { search: text } }),
  "a search that ranks": (text) =>
    productOrder({ filter: { search: text }, sort: { field: ProductSortField.RELEVANCE } }),
  ...Object.fromEntries(
    Object.values(ProductSortField).map((field): [string, Reader] => [
      `a cursor by ${field}`,
      (text) => {
        const order = productOrder({ filter: { search: "tea" }, sort: { field } });
        decodeCursor(order, text);
        decodeCursor(order, Buffer.from(`${order.prefix}${text}:1`).toString("base64url"));
      },
    ]),
  ),
  "a token": (text) => bearerToken({ headers: { authorization: `Bearer ${text}` } } as Request),
  "an id in a path": (text) => idParameter({ params: { id: text } } as unknown as Request, "id"),
  "a query string": (text) =>
    orderFilterParameters({ query: parseQuery(`customerEmail=${text}`) } as unknown as Request),
};

// That no expression of src searches ahead is for ESLint to say (regexp/no-super-linear-…).
test("whatever reads what clients send takes or refuses hostile texts of 16 kB", async () => {
  const rules = await fieldRules();
  expect(Object.keys(rules).length).toBeGreaterThanOrEqual(30);
  const texts = hostileTexts();
  const faults: string[] = [];
  for (const [reader, read] of Object.entries({ ...readers, ...rules })) {
    for (const [name, text] of texts) {
      try {
        read(text);
      } catch (error) {
        const isRefusal = error instanceof DomainError || reader === "time";
        if (!isRefusal) faults.push(`${reader}, ${name}: ${String(error).slice(0, 200)}`);
      }
    }
  }
  expect(faults).toEqual([]);
});

describe("fields that libraries read with expressions that search ahead are refused where they are long", () => {
  const blanks = " ".repeat(14_000);
  const query = "/graphql?query=%7B__typename%7D";
  test.each([
    ["the type of a GET's body", { "content-type": `application/json${blanks};x` }],
    ["parameters of the type", { "content-type": `application/json;${blanks}a=b` }],
    ["types to choose from", { accept: "a/b,".repeat(3000) }],
  ])("%s", async (_label, headers) => {
    const answers = [
      await send(app.url, { method: "GET", path: query, headers }),
      await sendJson(app.url, "POST", "/graphql", '{"query":"{__typename}"}', headers),
    ];
    for (const { status, body } of answers) {
      const http = errorBody(431);
      expect([status, body]).toEqual([
        431,
        { errors: [{ message: http.message, extensions: { code: "BAD_REQUEST", http } }] },
      ]);
    }
  });

  test.each([
    ["accept", 1024],
    ["content-type", 256],
  ])("%s is refused beyond %d characters", async (name, longest) => {
    const begin = name === "accept" ? "*/*,text/" : "application/json;x=";
    const statuses = [longest, longest + 1].map(async (length) => {
      const headers = { [name]: begin.padEnd(length, "a") };
      return (await send(app.url, { method: "GET", path: query, headers })).status;
    });
    expect(await Promise.all(statuses)).toEqual([200, 431]);
  });

  test("and are taken as clients send them", async () => {
    const headers = {
      accept: `text/html,${"application/x-ms-application, ".repeat(20)}*/*;q=0.8`,
      "content-type": "application/json; charset=utf-8",
    };
    const { status } = await send(app.url, { method: "GET", path: query, headers });
    expect(status).toBe(200);
  });
});
