/** @check */

import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildSchema, isScalarType, isSpecifiedScalarType } from "graphql";
import { newCart } from "../../examples/cart";
import { ordersIn, signIn } from "../../examples/graphql/administrator";
import { scrollProducts, searchProducts } from "../../examples/graphql/catalogue";
import { createGraphqlClient } from "../../examples/graphql/client";
import { placeOrder } from "../../examples/graphql/order";
import { showOrder } from "../../examples/graphql/placed-orders";
import type { Session } from "../../examples/session";
import { localSettings } from "../../src/config";
import { startApp } from "../support/app";
import { PASSWORD } from "../support/factories";
import { startProcess } from "../support/process";

const ROOT = path.join(__dirname, "../..");
const EXAMPLES = path.join(ROOT, "examples");
const documents = "graphql/generated/persisted-documents.json";

const textOf = (...names: string[]): string => readFileSync(path.join(...names), "utf8");

test("docs/graphql.md gives generators the types of all scalars, as the examples have them", () => {
  const own = Object.values(buildSchema(textOf(ROOT, "schema.graphql")).getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  const [, types = ""] = /scalars: \{ (.*) \}/.exec(textOf(EXAMPLES, "generate.mjs")) ?? [];
  const names = types.split(", ").map((each) => each.split(": ")[0]);
  expect(names.toSorted()).toEqual(own.map(({ name }) => name).toSorted());
  const page = textOf(ROOT, "docs/graphql.md");
  expect(page).toContain(`scalars: { ${types} }`);
  // gql.tada takes them as types instead of texts.
  expect(page).toContain(`scalars: { ${types.replaceAll('"', "").replaceAll(",", ";")} }`);
});

test("a copy of the examples generates the same types from the contracts of a shop", async () => {
  const copy = await mkdtemp(path.join(tmpdir(), "tea-shop-examples-"));
  const notGenerated = (file: string) => path.basename(file) !== "generated";
  await cp(EXAMPLES, copy, { recursive: true, filter: notGenerated });
  await rm(path.join(copy, "node_modules"), { recursive: true, force: true });
  await symlink(path.join(EXAMPLES, "../node_modules"), path.join(copy, "node_modules"));
  const generate = async (...args: string[]) => {
    const generating = startProcess([path.join(copy, "generate.mjs"), ...args]);
    return [(await generating.ended).code, generating.printed()];
  };
  const app = await startApp();
  expect(await generate()).toEqual([1, expect.stringContaining("npm run generate -- http://")]);
  expect(await generate(app.url)).toEqual([0, ""]);
  expect(await generate()).toEqual([0, ""]);
  for (const name of [documents, "rest/generated/schema.d.ts"]) {
    expect(textOf(copy, name)).toBe(textOf(EXAMPLES, name));
  }
  await app.close();
  await rm(copy, { recursive: true });
});

test("a service that takes the generated documents alone serves the example that sends hashes", async () => {
  const { graphql } = localSettings({ GRAPHQL_DOCUMENTS: path.join(EXAMPLES, documents) });
  const app = await startApp({ graphql: { documents: graphql.documents } });
  const { id: productId, name } = await app.make.product({ name: "Assam", price: "5.00" });
  const session: Session = {};
  const client = createGraphqlClient(app.url, { session, hashes: true });
  for await (const part of scrollProducts(client)) expect(part).toMatchObject([{ name }]);
  expect((await searchProducts(client, "assam")).meta.total).toBe(1);
  const cart = newCart("ada@example.com", [{ productId, quantity: 1, price: "5.00" }]);
  const { id, lookup } = await placeOrder(client, cart);
  expect(await showOrder(client, lookup)).toMatchObject({ id });
  const { email } = await app.make.admin();
  await signIn(client, session, { email, password: PASSWORD });
  expect(await ordersIn(client, "PENDING")).toMatchObject([{ id }]);
  const search = searchProducts(createGraphqlClient(app.url), "assam");
  await expect(search).rejects.toMatchObject({ status: 403, details: { code: "FORBIDDEN" } });
  await app.close();
});
