import type { Group, Prepared } from "./prepared";
import { history } from "./record";
import { onRows, type RowOperation } from "./row-operation";
import { startOfDay } from "./start-of-day";

const list = (name: string, { variables = "$filter: OrderFilter", filter = "$filter" } = {}) =>
  `query ${name}(
  ${variables}
  $page: Int! = 1
) {
  orders(
    filter: ${filter}
    page: $page
    pageSize: 50
  ) {
    meta { total page totalPages }
    data {
      id
      customerEmail
      totalAmount
      status
      createdAt
      version
    }
  }
}`;

/** The operation with which an administrator begins the day. */
export const waitingForPayment: Prepared = {
  label: "Waiting for payment",
  query: list("WaitingForPayment"),
  variables: () => ({ filter: { status: "PENDING" } }),
};

const ofCustomer: Prepared = {
  label: "Orders of a customer",
  query: list("OrdersOfCustomer", {
    variables: "$customerEmail: String!",
    filter: "{ customerEmail: $customerEmail }",
  }),
  variables: () => ({}),
};

const byPartOfAddress: Prepared = {
  label: "Find orders by part of an address",
  query: list("FindOrders", {
    variables: "$partOfAddress: String!",
    filter: "{ customerSearch: $partOfAddress }",
  }),
  variables: () => ({}),
};

const withItems: Prepared = {
  label: "An order with its items",
  query: `query OrderWithItems($id: Int!) {
  order(id: $id) {
    id
    customerEmail
    status
    totalAmount
    createdAt
    version
    items {
      productId
      productName
      quantity
      unitPrice
    }
  }
}`,
  variables: () => ({}),
};

const setsStatus = (name: string, status: string) => `mutation ${name}(
  $id: Int!
  $expectedVersion: Int!
) {
  setOrderStatus(id: $id, expectedVersion: $expectedVersion, status: ${status}) {
    id
    customerEmail
    totalAmount
    status
    createdAt
    version
  }
}`;

export const orders: Group = {
  label: "Orders",
  operations: [
    waitingForPayment,
    {
      label: "Today's orders",
      query: list("TodaysOrders"),
      variables: () => ({ filter: { placedFrom: startOfDay(new Date()).toISOString() } }),
    },
    { label: "All orders", query: list("AllOrders"), variables: () => ({ filter: {} }) },
    byPartOfAddress,
    ofCustomer,
    withItems,
  ],
};

export const onOrders: readonly RowOperation[] = [
  onRows("Order", ["id", "status", "version"], {
    label: "Mark paid",
    query: setsStatus("MarkPaid", "PAID"),
    when: ({ status }) => status === "PENDING",
    variables: ({ id, version }) => ({ id, expectedVersion: version }),
    does: {
      kind: "asks",
      question: (things) => `Mark ${things} as paid?`,
      several: (count) => `Mark ${count} paid`,
      done: "paid",
      sets: { status: "PAID" },
    },
  }),
  onRows("Order", ["customerEmail"], {
    label: "All orders of this customer",
    query: ofCustomer.query,
    variables: ({ customerEmail }) => ({ customerEmail }),
    does: { kind: "opens", from: "customerEmail" },
  }),
  onRows("Order", ["id", "status", "version"], {
    label: "Cancel",
    query: setsStatus("CancelOrder", "CANCELLED"),
    when: ({ status }) => status !== "CANCELLED",
    variables: ({ id, version }) => ({ id, expectedVersion: version }),
    does: {
      kind: "asks",
      question: (things) => `Cancel ${things}?`,
      verb: "Cancel order",
      several: (count) => `Cancel ${count} ${count === "1" ? "order" : "orders"}`,
      done: "cancelled",
      sets: { status: "CANCELLED" },
      isFinal: true,
    },
  }),
  onRows("Order", ["id"], {
    label: "Its items",
    query: withItems.query,
    variables: ({ id }) => ({ id }),
    does: { kind: "opens", from: "id" },
  }),
  history("Order", "ORDER"),
];
