import type { Source } from "../api/data-provider";
import { graphql } from "../api/graphql";
import type { OrderFilter, OrderListQuery, OrderStatus } from "../api/generated/graphql";
import { request } from "../api/request";
import { startOf } from "../parts/format";

const OrderList = graphql(`
  query OrderList($page: Int!, $pageSize: Int!, $filter: OrderFilter) {
    orders(page: $page, pageSize: $pageSize, filter: $filter) {
      data {
        id
        customerEmail
        totalAmount
        status
        createdAt
        version
      }
      meta {
        total
      }
    }
  }
`);

const OrderPage = graphql(`
  query OrderPage($id: Int!) {
    order(id: $id) {
      id
      customerEmail
      totalAmount
      status
      createdAt
      version
      items {
        id
        productId
        productName
        quantity
        unitPrice
      }
    }
  }
`);

const SetOrderStatus = graphql(`
  mutation SetOrderStatus($id: Int!, $status: OrderStatus!, $version: Int!) {
    setOrderStatus(id: $id, status: $status, expectedVersion: $version) {
      id
      customerEmail
      totalAmount
      status
      createdAt
      version
    }
  }
`);

/** An order in a list. */
export type Order = OrderListQuery["orders"]["data"][number];

/** What the address of the list says. */
export interface OrderConditions {
  readonly status?: OrderStatus;
  readonly customer?: string;
  readonly from?: string;
  readonly to?: string;
}

/** The conditions as the service takes them. Days are those of the browser's time zone. */
const orderFilter = ({ status, customer, from, to }: OrderConditions): OrderFilter => ({
  ...(status && { status }),
  ...(customer !== undefined && { customerSearch: customer }),
  ...(from !== undefined && { placedFrom: startOf(from).toISOString() }),
  ...(to !== undefined && { placedBefore: startOf(to, 1).toISOString() }),
});

export const orders: Source<Order> = {
  list: async ({ page, pageSize, filter, signal }) => {
    const variables = { page, pageSize, filter: orderFilter(filter) };
    const { orders: found } = await request(OrderList, variables, signal);
    return { data: found.data, total: found.meta.total };
  },
  one: async (id) => (await request(OrderPage, { id: Number(id) })).order ?? null,
};

/** Moves an order that is still as it was shown. @throws Failure */
export async function setStatus({ id, version }: Order, status: OrderStatus): Promise<Order> {
  return (await request(SetOrderStatus, { id, status, version })).setOrderStatus;
}
