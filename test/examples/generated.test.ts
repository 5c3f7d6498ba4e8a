import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { newCart } from "../../examples/cart";
import { ordersIn, signIn } from "../../examples/graphql/administrator";
import { scrollProducts, searchProducts } from "../../examples/graphql/catalogue";
import { createGraphqlClient } from "../../examples/graphql/client";
import { placeOrder } from "../../examples/graphql/order";
import type { Session } from "../../examples/session";
import { localSettings } from "../../src/config";
import { startApp } from "../support/app";
import { PASSWORD } from "../support/factories";

const ROOT = path.join(__dirname, "../..");
const contracts = path.join(ROOT, "examples/contracts.json");
const documents = path.join(ROOT, "examples/graphql/generated/persisted-documents.json");

// After a change of the contracts: npm --prefix examples ci && npm --prefix examples run generate
test("the types of the examples were generated from the contracts of today", () => {
  const recorded = JSON.parse(readFileSync(contracts, "utf8")) as Record<string, string>;
  const hashOf = (name: string) =>
    createHash("sha256")
      .update(readFileSync(path.join(ROOT, name)))
      .digest("hex");
  expect(recorded).toEqual({
    "openapi.json": hashOf("openapi.json"),
    "schema.graphql": hashOf("schema.graphql"),
  });
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
  const { id } = await placeOrder(client, cart);
  const { email } = await app.make.admin();
  await signIn(client, session, { email, password: PASSWORD });
  expect(await ordersIn(client, "PENDING")).toMatchObject([{ id }]);

  const search = searchProducts(createGraphqlClient(app.url), "assam");
  await expect(search).rejects.toMatchObject({ status: 403, details: { code: "FORBIDDEN" } });
  await app.close();
});
