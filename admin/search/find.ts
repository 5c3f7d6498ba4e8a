import { findCategories } from "../categories/source";
import { graphql } from "../api/graphql";
import { request } from "../api/request";

const Everything = graphql(`
  query Everything(
    $text: String!
    $id: Int!
    $isId: Boolean!
    $isPart: Boolean!
    $isWord: Boolean!
  ) {
    order(id: $id) @include(if: $isId) { id customerEmail totalAmount }
    products(pageSize: 6, filter: { search: $text }, sort: { field: RELEVANCE })
      @include(if: $isWord) {
      data { id name price }
    }
    customers(pageSize: 5, filter: { search: $text }) @include(if: $isPart) {
      data { email amount }
    }
    ordersConnection(first: 5, filter: { customerSearch: $text }) @include(if: $isPart) {
      edges { node { id customerEmail totalAmount } }
    }
  }
`);

/** Something that was found, and where its page is. */
export interface Found {
  readonly kind: string;
  readonly key: string | number;
  readonly name: string;
  readonly to: string;
  readonly detail?: string;
  /** An amount beside the name. */
  readonly sum?: string;
}

/** What the shop has under a text: an order's number, or a part of a name or an address. @throws Failure */
export async function search(text: string, signal: AbortSignal): Promise<Found[]> {
  const isId = /^#?[0-9]{1,9}$/.test(text);
  const { length } = text;
  const [answer, categories] = await Promise.all([
    request(
      Everything,
      {
        ...{ text, isId, id: isId ? Number(text.replace("#", "")) : 0 },
        isPart: length >= 3 && length <= 100,
        isWord: /[\p{L}\p{N}]/u.test(text),
      },
      signal,
    ),
    findCategories(text, 5),
  ]);
  const orders = [
    answer.order,
    ...(answer.ordersConnection?.edges.map(({ node }) => node) ?? []),
  ].flatMap((order) => order ?? []);
  const order = (each: (typeof orders)[number]): Found => ({
    ...{ kind: "orders", key: each.id, name: `${each.id}, ${each.customerEmail}` },
    ...{ to: `/orders/${each.id}/show`, sum: each.totalAmount },
  });
  return [
    ...(isId ? orders.map(order) : []),
    ...(answer.products?.data ?? []).map(({ id, name, price }) => ({
      ...{ kind: "products", key: id, name, to: `/products/${id}`, sum: price },
    })),
    ...categories.map(({ id, name }) => ({
      ...{ kind: "categories", key: id, name, to: `/categories/${id}` },
    })),
    ...(answer.customers?.data ?? []).map(({ email, amount }) => ({
      ...{ kind: "customers", key: email, name: email, sum: amount },
      to: `/customers/${encodeURIComponent(email)}/show`,
    })),
    ...(isId ? [] : orders.map(order)),
  ];
}
