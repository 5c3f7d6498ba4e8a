import type { CustomerListQuery, CustomerPageQuery } from "../api/generated/graphql";
import type { Source } from "../api/data-provider";
import { graphql } from "../api/graphql";
import { request } from "../api/request";

const CustomerList = graphql(`
  query CustomerList($page: Int!, $pageSize: Int!, $filter: CustomerFilter) {
    customers(page: $page, pageSize: $pageSize, filter: $filter) {
      data { email orders amount firstOrderAt lastOrderAt } meta { total }
    }
  }
`);
const CustomerPage = graphql(`
  query CustomerPage($email: String!) {
    customerData(email: $email) {
      email orders firstOrderAt lastOrderAt events subscription { email isActive createdAt }
    }
    orderTotals(filter: { customerEmail: $email }) { amount }
    orders(filter: { customerEmail: $email }, pageSize: 50) { data { id status totalAmount createdAt } }
  }
`);
const CustomerOrders = graphql(`
  query CustomerOrders($email: String!, $page: Int!) {
    orders(filter: { customerEmail: $email }, page: $page, pageSize: 50) {
      data { id status totalAmount createdAt items { productName quantity unitPrice } } meta { totalPages }
    }
  }
`);
const EraseCustomer = graphql(`
  mutation EraseCustomer($email: String!) { eraseCustomer(email: $email) { tombstone } }
`);

export type Customer = CustomerListQuery["customers"]["data"][number] & { readonly id: string };
export type CustomerDetails = CustomerPageQuery["customerData"] & {
  readonly id: string;
  readonly amount: string;
  readonly newest: CustomerPageQuery["orders"]["data"];
};

export const customers: Source<Customer> = {
  list: async ({ page, pageSize, filter: { search }, signal }) => {
    const variables = { page, pageSize, filter: { search: search as string | undefined } };
    const { customers: found } = await request(CustomerList, variables, signal);
    const data = found.data.map((customer) => ({ ...customer, id: customer.email }));
    return { data, total: found.meta.total };
  },
  one: async (email: string): Promise<CustomerDetails> => {
    const { customerData, orderTotals, orders } = await request(CustomerPage, { email });
    return { ...customerData, id: email, amount: orderTotals.amount, newest: orders.data };
  },
};

/** All that is stored of a customer, with every order: what is handed to somebody who asks for it. @throws Failure */
export async function everythingOf({ email, subscription }: CustomerDetails): Promise<object> {
  const orders = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { orders: found } = await request(CustomerOrders, { email, page });
    orders.push(...found.data);
    pages = found.meta.totalPages;
  }
  return { email, subscription, orders };
}

/** Replaces the address by a tombstone, and returns it. @throws Failure */
export const erase = async (email: string): Promise<string> =>
  (await request(EraseCustomer, { email })).eraseCustomer.tombstone;
