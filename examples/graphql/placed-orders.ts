import type { Client } from "@urql/core";
import { dataOf } from "./client";
import { graphql } from "./generated";
import type { ShowOrderQuery } from "./generated/graphql";

/** The browser's `localStorage`: a lookup is a secret, so it is kept in no address and in no cookie. */
interface Kept {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const KEY = "tea-shop:orders";
/** Most orders that are kept. */
const MOST = 20;

/** Keeps an order that was placed, so that its customer can see it later. */
export function keepOrder(storage: Kept, { lookup }: { readonly lookup: string }): void {
  const others = keptOrders(storage).filter((each) => each !== lookup);
  storage.setItem(KEY, JSON.stringify([lookup, ...others].slice(0, MOST)));
}

/** The lookups of the orders that were kept, newest first. */
export function keptOrders(storage: Kept): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return [];
  }
}

export const SHOW_ORDER = graphql(`
  query ShowOrder($lookup: String!) {
    orderByLookup(lookup: $lookup) {
      id
      status
      totalAmount
      createdAt
      items {
        quantity
        unitPrice
        productName
      }
    }
  }
`);

/** An order as it is now; null if it is gone, or if the shop no longer takes its lookup. */
export async function showOrder(
  client: Client,
  lookup: string,
): Promise<ShowOrderQuery["orderByLookup"]> {
  const options = { requestPolicy: "network-only", isSecret: true } as const;
  return dataOf(await client.query(SHOW_ORDER, { lookup }, options)).orderByLookup;
}
