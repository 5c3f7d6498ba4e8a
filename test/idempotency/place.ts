import { execute, type GraphqlError } from "../graphql/client";
import type { TestApp } from "../support/app";
import { sendJson, type Answer } from "../support/raw-http";

/** A customer's order as it is sent. */
export interface OrderBody {
  readonly customerEmail: string;
  readonly items: readonly { readonly productId: number; readonly quantity: number }[];
}

/** The terms that an order is sent on. */
export interface Terms {
  readonly key?: string | string[] | undefined;
  readonly expectedTotal?: string | undefined;
}

/** An order as both doors show it. */
export interface OrderAnswer {
  readonly id: number;
  readonly status: string;
  readonly totalAmount: string;
}

/** What came of an order, at whichever door. */
export interface Outcome {
  /** REST's status, and at the GraphQL door the one that REST would have answered with. */
  readonly status: number;
  readonly order?: OrderAnswer | undefined;
  readonly error?: GraphqlError | undefined;
}

/** A way of placing an order. */
export type Door = (app: TestApp, body: OrderBody, terms?: Terms) => Promise<Outcome>;

/** Sends an order to the REST door as it stands. */
export const post = (app: TestApp, body: object, terms: Terms = {}): Promise<Answer> =>
  sendJson(app.url, "POST", "/orders", JSON.stringify(body), {
    ...(terms.key !== undefined && { "idempotency-key": terms.key }),
    ...(terms.expectedTotal !== undefined && { "expected-total": terms.expectedTotal }),
  });

export const atRest: Door = async (app, body, terms) => {
  const answer = await post(app, body, terms);
  return {
    status: answer.status,
    order: answer.status === 201 ? (answer.body as OrderAnswer) : undefined,
  };
};

const PLACE_ORDER = `mutation ($input: PlaceOrderInput!, $key: String, $expectedTotal: Decimal) {
  placeOrder(input: $input, idempotencyKey: $key, expectedTotal: $expectedTotal) {
    id customerEmail totalAmount status createdAt
    items { id orderId productId quantity unitPrice }
  }
}`;

export const atGraphql: Door = async (app, input, terms = {}) => {
  const { body } = await execute(app, { query: PLACE_ORDER, variables: { input, ...terms } });
  const order = (body.data as { placeOrder: OrderAnswer } | null | undefined)?.placeOrder;
  const error = body.errors?.[0];
  return { status: error?.extensions.http.statusCode ?? 201, order, error };
};

export const doors: Record<string, Door> = { REST: atRest, GraphQL: atGraphql };

/** How many orders are stored. */
export async function orderCount(app: TestApp): Promise<number> {
  const [row] = await app.sql<{ count: number }>("SELECT count(*)::integer AS count FROM orders");
  return row!.count;
}

/** The keys that are remembered, oldest first. */
export async function storedKeys(app: TestApp): Promise<string[]> {
  const rows = await app.sql<{ key: string }>(
    "SELECT key FROM idempotency_keys ORDER BY created_at, key",
  );
  return rows.map(({ key }) => key);
}
