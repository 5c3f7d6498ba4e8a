import type { Client } from "@urql/core";
import { orderOf, totalOf, type Cart } from "../cart";
import { retry, type RetryOptions } from "../retry";
import { dataOf } from "./client";
import { graphql } from "./generated";
import type { PlaceOrderMutation, PlaceOrderMutationVariables } from "./generated/graphql";

export const PLACE_ORDER = graphql(`
  mutation PlaceOrder($input: PlaceOrderInput!, $key: String!, $expectedTotal: Decimal!) {
    placeOrder(input: $input, idempotencyKey: $key, expectedTotal: $expectedTotal) {
      id
      lookup
      status
      totalAmount
      createdAt
      items {
        productId
        quantity
        unitPrice
      }
    }
  }
`);

/** The variables that order a cart: the same for each attempt. */
export const variablesOf = (cart: Cart): PlaceOrderMutationVariables => ({
  input: orderOf(cart),
  key: cart.key,
  expectedTotal: totalOf(cart),
});

/**
 * Places the order of a cart once, however often it has to be sent.
 *
 * @throws ShopError with the code CONFLICT where the total is no longer what the customer saw, and BAD_USER_INPUT
 * where the order is not valid; ConnectionError if no attempt was answered, after which the same cart may be
 * sent again
 */
export const placeOrder = (
  client: Client,
  cart: Cart,
  options?: RetryOptions,
): Promise<PlaceOrderMutation["placeOrder"]> => {
  const send = async () => dataOf(await client.mutation(PLACE_ORDER, variablesOf(cart))).placeOrder;
  return retry(send, options);
};
