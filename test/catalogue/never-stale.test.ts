/** @check */

import { Client } from "pg";
import { startApp, startReplica, type TestApp } from "../support/app";
import { catalogueRounds } from "../support/catalogue-rounds";
import { sendJson } from "../support/raw-http";
import { closeReaders, readsOf, type ShownRows } from "./reads";

jest.setTimeout(1_200_000);

const ROUNDS = catalogueRounds();
const READERS = 50;
const CHANGES = 60;

let shops: readonly [TestApp, TestApp];
let shown: ShownRows;
beforeAll(async () => {
  const app = await startApp({ catalogue: { cache: true } });
  shops = [app, await startReplica(app)];
  const category = await app.make.category();
  const product = await app.make.product({ category_id: category.id });
  shown = { product, category };
});
afterAll(async () => {
  closeReaders();
  await shops[1].close();
  await shops[0].close();
});

const priceOf = (round: number): string => (round / 100).toFixed(2);
const nameOf = (round: number): string => `Tea of round ${round}.`;

const changeOverHttp = async (
  shop: TestApp,
  method: string,
  path: string,
  body: object,
): Promise<void> => {
  const authorization = shop.asAdmin;
  const answer = await sendJson(shop.url, method, path, JSON.stringify(body), { authorization });
  expect([answer.status, answer.text.includes('"errors"')]).toEqual([200, false]);
};

/** Changes the price or the name in one of several ways, and returns what every read must show then. */
async function change(shop: TestApp, shows: "product" | "category", round: number) {
  const beside = round % 3 === 0;
  if (shows === "product") {
    const price = priceOf(round);
    if (beside) {
      await shop.sql("UPDATE products SET price = $2 WHERE id = $1", [shown.product.id, price]);
    } else {
      const query = `mutation ($id: Int!, $input: UpdateProductInput!) { updateProduct(id: $id, input: $input) { id } }`;
      const variables = { id: shown.product.id, input: { price } };
      await changeOverHttp(shop, "POST", "/graphql", { query, variables });
    }
    return `"price":"${price}"`;
  }
  const name = nameOf(round);
  if (beside) {
    await shop.sql("UPDATE categories SET name = $2 WHERE id = $1", [shown.category.id, name]);
  } else {
    await changeOverHttp(shop, "PATCH", `/categories/${shown.category.id}`, { name });
  }
  return `"name":"${name}"`;
}

test(`${ROUNDS} changes in turn at two shops are all seen by the next read, half from the cache`, async () => {
  const forms = readsOf(shown);
  const statements: jest.SpyInstance = jest.spyOn(Client.prototype, "query");
  let reads = 0;
  let fromCache = 0;
  const stale: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [changing, other] = round % 2 === 0 ? shops : [shops[1], shops[0]];
    const { shows, read } = forms[round % forms.length]!;
    const expected = await change(changing, shows, round);
    for (const shop of [other, changing, other, changing, other]) {
      statements.mockClear();
      const { status, text } = await read(shop);
      if (status !== 200 || !text.includes(expected)) stale.push(`${expected} is not in ${text}`);
      reads += 1;
      if (!statements.mock.calls.some(([statement]: unknown[]) => readsCatalogue(statement)))
        fromCache += 1;
    }
  }
  statements.mockRestore();
  expect(stale).toEqual([]);
  expect(fromCache / reads).toBeGreaterThanOrEqual(1 / 2);
});

/** Whether a statement is one of those that read the catalogue itself, not its version. */
const readsCatalogue = (statement: unknown): boolean =>
  / "?(products|categories)"?\b/.test((statement as { text?: string }).text ?? String(statement));

test(`${READERS} readers beside a writer only see states that were current during their requests`, async () => {
  const forms = readsOf(shown).filter(({ shows }) => shows === "product");
  let begun = 0;
  let committed = 0;
  const write = async () => {
    for (begun = 1; begun <= CHANGES; begun += 1) {
      await shops[0].sql("UPDATE products SET price = $2 WHERE id = $1", [shown.product.id, begun]);
      committed = begun;
    }
  };
  const wrong: object[] = [];
  let answers = 0;
  const reader = async (number: number) => {
    for (let turn = number; committed < CHANGES; turn += 1) {
      const oldest = committed;
      const { text } = await forms[turn % forms.length]!.read(shops[turn % 2]!);
      const price = Number(/"price":"([0-9.]+)"/.exec(text)?.[1]);
      if (!(price >= oldest && price <= begun)) wrong.push({ oldest, price, newest: begun });
      answers += 1;
    }
  };
  await shops[0].sql("UPDATE products SET price = 0 WHERE id = $1", [shown.product.id]);
  await Promise.all([write(), ...Array.from({ length: READERS }, (_, number) => reader(number))]);
  expect(wrong).toEqual([]);
  expect(answers).toBeGreaterThanOrEqual(READERS);
});
