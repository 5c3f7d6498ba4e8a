import type { Source } from "../api/data-provider";
import type { OrderFilter, OrderListQuery, OrderPageQuery } from "../api/generated/graphql";
import type { OrderStatus } from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { daysOf, timesOf, type Period } from "../parts/format";

const OrderList = graphql(`
  query OrderList($page: Int!, $pageSize: Int!, $filter: OrderFilter) {
    orders(page: $page, pageSize: $pageSize, filter: $filter) {
      data { id customerEmail totalAmount status createdAt version } meta { total }
    }
  }
`);
const NewerOrders = graphql(`
  query NewerOrders($filter: OrderFilter) {
    ordersConnection(first: 50, filter: $filter) {
      edges { node { id customerEmail totalAmount status createdAt version } }
    }
  }
`);
const OrderPage = graphql(`
  query OrderPage($id: Int!) {
    order(id: $id) {
      id customerEmail totalAmount status createdAt version
      items { id productId productName quantity unitPrice }
    }
    events(first: 20, filter: { subject: ORDER, subjectId: $id }) { edges { node { id type at } } }
  }
`);
const SetOrderStatus = graphql(`
  mutation SetOrderStatus($id: Int!, $status: OrderStatus!, $version: Int!) {
    setOrderStatus(id: $id, status: $status, expectedVersion: $version) { id }
  }
`);

export type Order = OrderListQuery["orders"]["data"][number];
export type WholeOrder = NonNullable<OrderPageQuery["order"]> & Pick<OrderPageQuery, "events">;

export const STATUSES: readonly OrderStatus[] = ["PENDING", "PAID", "CANCELLED"];

/** What the address of the list says: `customer` is a part of an address, `email` a whole one. */
type OrderConditions = Readonly<Partial<Record<"from" | "to" | "customer" | "email", string>>> & {
  readonly statuses?: OrderStatus[];
  readonly placed?: Period | "days";
  readonly product?: number;
};

/** The conditions as the service takes them. @throws Error if the address has a day that is none */
export function orderFilter(conditions: OrderConditions): OrderFilter {
  const { statuses, placed = "days", customer, email, product } = conditions;
  const { from, before } = timesOf(placed === "days" ? conditions : daysOf(placed));
  const filter = { statuses, customerSearch: customer, customerEmail: email, productId: product };
  return { ...filter, placedFrom: from, placedBefore: before };
}

export const orders: Source<Order> = {
  list: async ({ page, pageSize, filter, signal }) => {
    const variables = { page, pageSize, filter: orderFilter(filter) };
    const { orders: found } = await request(OrderList, variables, signal);
    return { data: found.data, total: found.meta.total };
  },
  one: async (id) => {
    const { order, events } = await request(OrderPage, { id });
    return order && { ...order, events };
  },
};

/** Orders under the conditions that were placed then or later, newest first, at most 50. @throws Failure */
export async function newerOrders(since: string, conditions: OrderConditions): Promise<Order[]> {
  const filter = orderFilter(conditions);
  if (typeof filter.placedBefore === "string" && filter.placedBefore <= since) return [];
  const placedFrom = [filter.placedFrom ?? since, since].sort().at(-1);
  const { ordersConnection } = await request(NewerOrders, { filter: { ...filter, placedFrom } });
  return ordersConnection.edges.map(({ node }) => node);
}

/** Moves an order that is still as it was shown. @throws Failure */
export const setStatus = ({ id, version }: Order, status: OrderStatus): Promise<unknown> =>
  request(SetOrderStatus, { id, status, version });
