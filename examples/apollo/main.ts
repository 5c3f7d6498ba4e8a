// Sends the documents of the urql example by Apollo Client as well, and compares what both get:
// npm run apollo [-- <address of the shop> [--hashes]]
import { deepStrictEqual, notStrictEqual, ok, strictEqual } from "node:assert";
import { CombinedGraphQLErrors } from "@apollo/client";
import { newCart, type Cart } from "../cart";
import { SCROLL_PRODUCTS, SEARCH_PRODUCTS } from "../graphql/catalogue";
import { createGraphqlClient } from "../graphql/client";
import type { ScrollProductsQueryVariables } from "../graphql/generated/graphql";
import { PLACE_ORDER, variablesOf } from "../graphql/order";
import { SHOW_ORDER } from "../graphql/placed-orders";
import { createApolloClient } from "./client";

const [url = "http://localhost:3000", option] = process.argv.slice(2);
const options = { hashes: option === "--hashes" };
const apollo = createApolloClient(url, options);
const urql = createGraphqlClient(url, options);

/** The products of two parts of an endless list. */
async function compareScrolling(): Promise<void> {
  let after: string | null | undefined = null;
  for (const part of ["first", "second"]) {
    const sort = { field: "PRICE", direction: "ASC" } as const;
    const variables: ScrollProductsQueryVariables = { first: 2, after, sort };
    const { data } = await apollo.query({ query: SCROLL_PRODUCTS, variables });
    deepStrictEqual(data, (await urql.query(SCROLL_PRODUCTS, variables)).data);
    ok(data);
    strictEqual(data.productsConnection.edges.length, 2);
    notStrictEqual(data.productsConnection.pageInfo.endCursor, after);
    after = data.productsConnection.pageInfo.endCursor;
    console.log(`The same ${part} part of the list`);
  }
}

/** Compares a search, and returns a product that it has found. */
async function compareSearch(): Promise<{ id: number; price: string }> {
  const variables = { words: "tea", page: 1 };
  const { data } = await apollo.query({ query: SEARCH_PRODUCTS, variables });
  deepStrictEqual(data, (await urql.query(SEARCH_PRODUCTS, variables)).data);
  const [found] = data?.products.data ?? [];
  ok(found);
  console.log("The same products found");
  return found;
}

/** Orders the same cart by both clients, one after the other, and returns the order's lookup. */
async function compareOrder(
  cart: Cart,
  order: readonly ("Apollo Client" | "urql")[],
): Promise<string> {
  const variables = variablesOf(cart);
  const send = {
    "Apollo Client": async () => (await apollo.mutate({ mutation: PLACE_ORDER, variables })).data,
    urql: async () => (await urql.mutation(PLACE_ORDER, variables)).data,
  };
  const answers = [];
  for (const client of order) answers.push(await send[client]());
  ok(answers[0]);
  deepStrictEqual(answers[0], answers[1]);
  console.log(
    `The same order ${answers[0].placeOrder.id}, placed by ${order.join(" and sent again by ")}`,
  );
  return answers[0].placeOrder.lookup;
}

/** The order of a lookup, which the shop shows by POST alone. */
async function compareLookup(lookup: string): Promise<void> {
  const context = { isSecret: true };
  const { data } = await apollo.query({ query: SHOW_ORDER, variables: { lookup }, context });
  deepStrictEqual(data, (await urql.query(SHOW_ORDER, { lookup }, context)).data);
  ok(data?.orderByLookup);
  console.log("The same order shown by its lookup");
}

/** The refusal of an order that is not valid. */
async function compareRefusal(cart: Cart): Promise<void> {
  const variables = variablesOf(cart);
  const { error } = await urql.mutation(PLACE_ORDER, variables);
  const thrown: unknown = await apollo
    .mutate({ mutation: PLACE_ORDER, variables })
    .catch((fault: unknown) => fault);
  ok(CombinedGraphQLErrors.is(thrown));
  const [of, ofUrql] = [thrown.errors[0]?.extensions, error?.graphQLErrors[0]?.extensions];
  strictEqual(of?.code, "BAD_USER_INPUT");
  deepStrictEqual(of, ofUrql);
  console.log("The same refusal");
}

async function main(): Promise<void> {
  await compareScrolling();
  const { id: productId, price } = await compareSearch();
  const cart = () => newCart("apollo@example.com", [{ productId, quantity: 1, price }]);
  await compareLookup(await compareOrder(cart(), ["Apollo Client", "urql"]));
  await compareOrder(cart(), ["urql", "Apollo Client"]);
  await compareRefusal(newCart("apollo", [{ productId, quantity: 0, price }]));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
