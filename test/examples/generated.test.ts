import { readFileSync } from "node:fs";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  buildSchema,
  isScalarType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
} from "graphql";
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
const CONTRACTS = ["openapi.json", "schema.graphql"] as const;
const documents = path.join(ROOT, "examples/graphql/generated/persisted-documents.json");

const textOf = (...names: string[]): string => readFileSync(path.join(ROOT, ...names), "utf8");

// After a change of the contracts: npm --prefix examples ci && npm --prefix examples run generate
test("the types of the examples were generated from the contracts of today", () => {
  for (const name of CONTRACTS) {
    expect(textOf("examples/contracts", name)).toBe(textOf(".", name));
  }
});

test("docs/graphql.md gives generators the types of all scalars, as the examples have them", () => {
  const own = Object.values(buildSchema(textOf("schema.graphql")).getTypeMap()).filter(
    (type) => isScalarType(type) && !isSpecifiedScalarType(type),
  );
  const codegen = textOf("examples/codegen.mjs");
  const [, types = ""] = /scalars: \{ (.*) \}/.exec(codegen) ?? [];
  const names = types.split(", ").map((each) => each.split(": ")[0]);
  expect(names.toSorted()).toEqual(own.map(({ name }) => name).toSorted());
  const page = textOf("docs/graphql.md");
  expect(page).toContain(`scalars: { ${types} }`);
  // gql.tada takes them as types instead of texts.
  expect(page).toContain(`scalars: { ${types.replaceAll('"', "").replaceAll(",", ";")} }`);
});

test("a copy of the examples takes the contracts of a shop, and otherwise keeps those that it has", async () => {
  const copy = await mkdtemp(path.join(tmpdir(), "tea-shop-examples-"));
  for (const name of ["take-contracts.mjs", "contracts"]) {
    await cp(path.join(ROOT, "examples", name), path.join(copy, name), { recursive: true });
  }
  await symlink(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"));
  const take = async (...args: string[]) => {
    const taking = startProcess([path.join(copy, "take-contracts.mjs"), ...args]);
    expect([(await taking.ended).code, taking.printed()]).toEqual([0, ""]);
    return CONTRACTS.map((name) => readFileSync(path.join(copy, "contracts", name), "utf8"));
  };
  const [openapi, schema] = CONTRACTS.map((name) => textOf("examples/contracts", name));
  const app = await startApp();

  expect(await take()).toEqual([openapi, schema]);
  const [taken = "", takenSchema = ""] = await take(app.url);
  expect(JSON.parse(taken)).toEqual(JSON.parse(openapi!));
  // TypeGraphQL sorts a field's arguments when it first resolves it, so a later schema of this process may have them
  // in another order. The order itself is checked where schema.graphql is compared (npm run contracts:check).
  const inOrder = (text: string) => printSchema(lexicographicSortSchema(buildSchema(text)));
  expect(inOrder(takenSchema)).toBe(inOrder(schema!));

  await app.close();
  await rm(copy, { recursive: true });
});

test("a service that takes the generated documents alone serves the example that sends hashes", async () => {
  const { graphql } = localSettings({ GRAPHQL_DOCUMENTS: documents });
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
