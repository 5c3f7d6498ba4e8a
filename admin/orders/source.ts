import type { Source } from "../api/data-provider";
import type {
  OrderFilter,
  OrderListQuery,
  OrderPageQuery,
  OrderStatus,
} from "../api/generated/graphql";
import { graphql } from "../api/graphql";
import { request } from "../api/request";
import { daysOf, startOf, type Period } from "../parts/format";

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
  }
`);

const SetOrderStatus = graphql(`
  mutation SetOrderStatus($id: Int!, $status: OrderStatus!, $version: Int!) {
    setOrderStatus(id: $id, status: $status, expectedVersion: $version) { id }
  }
`);

/** An order in a list. */
export type Order = OrderListQuery["orders"]["data"][number];
/** An order with its items. */
export type WholeOrder = NonNullable<OrderPageQuery["order"]>;

export const STATUSES: readonly OrderStatus[] = ["PENDING", "PAID", "CANCELLED"];

/** What the address of the list says. Days are those of the browser's time zone. */
export interface OrderConditions {
  readonly statuses?: OrderStatus[];
  readonly placed?: Period | "days";
  readonly from?: string;
  readonly to?: string;
  readonly customer?: string;
  /** The whole address of a customer. */
  readonly email?: string;
  readonly product?: number;
}

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
export const isDay = (text: string): boolean => DAY.test(text) && !isNaN(startOf(text).getTime());

/**
 * The conditions as the service takes them.
 *
 * @throws Error if the address has a day that is none: it is not ignored
 */
export function orderFilter(conditions: OrderConditions): OrderFilter {
  const { statuses, placed, customer, email, product } = conditions;
  const { from, to } = placed === undefined || placed === "days" ? conditions : daysOf(placed);
  if ([from, to].some((day) => day !== undefined && !isDay(day)))
    throw new Error("shop.list.no_date");
  return {
    ...(statuses && statuses.length > 0 && { statuses }),
    ...(customer !== undefined && { customerSearch: customer }),
    ...(email !== undefined && { customerEmail: email }),
    ...(product !== undefined && { productId: product }),
    ...(from !== undefined && { placedFrom: startOf(from).toISOString() }),
    ...(to !== undefined && { placedBefore: startOf(to, 1).toISOString() }),
  };
}

export const orders: Source<Order> = {
  list: async ({ page, pageSize, filter, signal }) => {
    const variables = { page, pageSize, filter: orderFilter(filter) };
    const { orders: found } = await request(OrderList, variables, signal);
    return { data: found.data, total: found.meta.total };
  },
  one: async (id) => (await request(OrderPage, { id: Number(id) })).order ?? null,
};

/** The newest orders under the conditions that were placed at the time or later, at most 50. */
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
