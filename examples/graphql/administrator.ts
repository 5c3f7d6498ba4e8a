import type { Client } from "@urql/core";
import type { Credentials, Session } from "../session";
import { dataOf } from "./client";
import { graphql } from "./generated";
import type { OrdersInQuery, OrderStatus } from "./generated/graphql";

const SIGN_IN = graphql(`
  mutation SignIn($input: LoginInput!) {
    login(input: $input) {
      accessToken
    }
  }
`);

/**
 * Signs an administrator in: the session's client sends the token from now on.
 *
 * @throws ShopError with the code BAD_USER_INPUT if the credentials are wrong
 */
export async function signIn(
  client: Client,
  session: Session,
  credentials: Credentials,
): Promise<void> {
  const { login } = dataOf(await client.mutation(SIGN_IN, { input: credentials }));
  session.token = login.accessToken;
}

const ORDERS_IN = graphql(`
  query OrdersIn($status: OrderStatus!) {
    orders(pageSize: 20, filter: { status: $status }) {
      data {
        id
        customerEmail
        totalAmount
        createdAt
        items {
          quantity
          productName
        }
      }
    }
  }
`);

/**
 * The newest orders in a state.
 *
 * @throws ShopError with the code UNAUTHENTICATED if nobody is signed in, or no longer
 */
export async function ordersIn(
  client: Client,
  status: OrderStatus,
): Promise<OrdersInQuery["orders"]["data"]> {
  // The cache does not know of orders that customers have placed since.
  const options = { requestPolicy: "network-only" } as const;
  return dataOf(await client.query(ORDERS_IN, { status }, options)).orders.data;
}
