import { createHash } from "node:crypto";
import type { Money } from "../../vocabulary/money";
import type { OrderItemInput, OrderTerms, PlaceOrderInput } from "./inputs/place-order-input";

/** An idempotency key and the fingerprint of the request that was sent with it. */
export interface KeyedRequest {
  readonly key: string;
  /** Equal requests have equal fingerprints. */
  readonly fingerprint: string;
}

/** An order that is to be placed, and the terms on which it was sent. */
export interface OrderRequest {
  readonly customerEmail: string;
  readonly items: readonly Readonly<OrderItemInput>[];
  /** The total that the customer agreed to. */
  readonly expectedTotal: Money | undefined;
  /** The idempotency key, if the order has one. */
  readonly keyed: KeyedRequest | undefined;
}

export function orderRequest(
  { customerEmail, items }: PlaceOrderInput,
  { idempotencyKey, expectedTotal }: OrderTerms,
): OrderRequest {
  const order = { customerEmail, items, expectedTotal };
  if (idempotencyKey === undefined) return { ...order, keyed: undefined };
  const asked = items.map(({ productId, quantity }) => [productId, quantity]);
  const fingerprint = fingerprintOf([customerEmail, asked, expectedTotal ?? null]);
  return { ...order, keyed: { key: idempotencyKey, fingerprint } };
}

const fingerprintOf = (request: unknown): string =>
  createHash("sha256").update(JSON.stringify(request)).digest("hex");
