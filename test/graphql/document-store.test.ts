/** @check */

import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { parse } from "graphql";
import { DocumentStore } from "../../src/graphql/operation/documents/document-store";
import { useApp } from "../support/app";
import { repetitions } from "../support/repetitions";
import { execute } from "./client";

const app = useApp();
const MEGABYTE = 1024 * 1024;
const MANY = repetitions({ few: 10_000, all: 30_000 });

/** Documents of one shape, by the program that writes the one with a number. */
const shapes = {
  "short ones": "(n) => `{ a${n}: categories { id } }`",
  "ordinary ones":
    '(n) => `query Q${n}($p: Int! = 1) { products(page: $p, filter: { search: "tea" }) { data { id name price category { name } } } }`',
  "of many fragments":
    "(n) => `{ ...F0 } ` + Array.from({ length: 30 }, (_, i) => `fragment F${i} on Query { a${n}: __typename }`).join(' ')",
  "of long texts": "(n) => `{ product(slug: \"${'x'.repeat(3000)}é\") { a${n}: id } }`",
  "of many variables":
    "(n) => `query (${Array.from({ length: 50 }, (_, i) => `$v${i}x${n}: [Int!]! = [1, 2]`)}) { __typename }`",
};

/** Tells how many bytes so many documents leave in a store of 4 MB. */
const program = (write: string, count: number) => `
  const { parse } = require("graphql");
  const { DocumentStore } = require("./dist/graphql/operation/documents/document-store.js");
  const write = ${write};
  const store = new DocumentStore(4 * 1024 * 1024);
  const fill = (from, to) => {
    // As it comes with a request: a text of its own.
    for (let n = from; n < to; n += 1) store.set("k" + n, parse(JSON.parse(JSON.stringify(write(n)))));
  };
  const heap = () => { gc(); gc(); return process.memoryUsage().heapUsed; };
  const warm = new DocumentStore(1);
  for (let n = 0; n < 100; n += 1) warm.set("k", parse(write(n)));
  const before = heap();
  fill(0, ${count});
  console.log(heap() - before, store === undefined);
`;

test.each(
  Object.entries(shapes).map(
    ([label, write]) => [/^(short|ordinary)/.test(label) ? MANY : MANY / 10, label, write] as const,
  ),
)(
  "%d distinct documents leave no more than the bound: %s",
  async (count, _label, write) => {
    const root = path.join(__dirname, "../..");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--expose-gc", "-e", program(write, count)],
      { cwd: root },
    );
    expect(parseInt(stdout, 10) / MEGABYTE).toBeLessThan(4);
    expect(parseInt(stdout, 10) / MEGABYTE).toBeGreaterThan(0.5); // it does keep some
  },
  60_000,
);

const keys = async (store: DocumentStore, names: string[]): Promise<boolean[]> =>
  Promise.all(names.map(async (name) => (await store.get(name)) !== undefined));

test("what was not used for longest goes first, and what is too large for all is not kept", async () => {
  const store = new DocumentStore(20_000);
  const document = () => parse("{ categories { id name slug } }");
  await store.set("a", document());
  await store.set("b", document());
  await store.get("a");
  for (let n = 0; n < 2; n += 1) await store.set(`c${n}`, document());
  await store.set("large", parse(`{ ${"categories { id } ".repeat(500)} }`));
  expect(await keys(store, ["a", "c0", "c1", "large"])).toEqual([true, true, true, false]);
  for (let n = 0; n < 20; n += 1) await store.set(`d${n}`, document());
  expect(await keys(store, ["a", "b", "d19"])).toEqual([false, false, true]);
  await store.delete("d19");
  expect(await keys(store, ["d19"])).toEqual([false]);
});

test("a document that is known already is answered alike, errors with their places", async () => {
  const query = `{ product { id } a: product { id } }`;
  const first = await execute(app, { query });
  expect(first.body.errors?.map(({ locations }) => locations)).toEqual([
    [{ line: 1, column: 3 }],
    [{ line: 1, column: 18 }],
  ]);
  expect((await execute(app, { query })).body).toEqual(first.body);
});
