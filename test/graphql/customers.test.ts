import { useApp } from "../support/app";
import { graphqlClause } from "../support/clause";
import { dataOf, refusalOf } from "./client";

const app = useApp();

interface Page {
  readonly data: readonly object[];
  readonly meta: { readonly total: number };
}

const customers = async (variables: object = {}): Promise<Page> =>
  (
    await dataOf<{ customers: Page }>(
      app,
      `query ($page: Int! = 1, $pageSize: Int! = 10, $filter: CustomerFilter) {
        customers(page: $page, pageSize: $pageSize, filter: $filter) {
          data { email orders amount firstOrderAt lastOrderAt } meta { total }
        }
      }`,
      variables,
    )
  ).customers;

const [FIRST, LAST] = ["2024-01-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z"];

beforeAll(async () => {
  for (const [customer_email, status, total_amount, created_at] of [
    ["Bo@example.com", "PAID", "99999999.99", FIRST],
    ["bo@Example.com", "PENDING", "0.02", LAST],
    ["BO@example.com", "CANCELLED", "5.00", "2024-01-15T00:00:00.000Z"],
    ["al@example.com", "CANCELLED", "5.00", FIRST],
    ["Cy_%@example.org", "PAID", "1.00", FIRST],
  ] as const) {
    await app.make.order({ customer_email, status, total_amount, created_at });
  }
});

const al = { email: "al@example.com", orders: 1, amount: "0.00", firstOrderAt: FIRST };
const bo = { email: "bo@Example.com", orders: 3, amount: "100000000.01", firstOrderAt: FIRST };
const cy = { email: "Cy_%@example.org", orders: 1, amount: "1.00", firstOrderAt: FIRST };
const listed = {
  al: { ...al, lastOrderAt: FIRST },
  bo: { ...bo, lastOrderAt: LAST },
  cy: { ...cy, lastOrderAt: FIRST },
};

graphqlClause("10.customers", "everybody who has ordered is listed by address", async () => {
  const { al, bo, cy } = listed;
  expect(await customers()).toEqual({ data: [al, bo, cy], meta: { total: 3 } });
  expect(await customers({ page: 2, pageSize: 2 })).toEqual({ data: [cy], meta: { total: 3 } });
  expect(await customers({ page: 9 })).toEqual({ data: [], meta: { total: 3 } });
});

graphqlClause("10.customers", "a search finds a part of the address", async () => {
  const found = async (search: string) => (await customers({ filter: { search } })).data;
  expect(await found("BO@EX")).toEqual([listed.bo]);
  expect(await found("_%@")).toEqual([listed.cy]);
  expect(await found("nobody")).toEqual([]);
  const { http } = await refusalOf(
    app,
    '{ customers(filter: { search: "bo" }) { data { email } } }',
  );
  expect(http.message).toEqual(["search must be longer than or equal to 3 characters"]);
});

graphqlClause("10.customers", "an erased customer's orders are the tombstone's", async () => {
  const { eraseCustomer } = await dataOf<{ eraseCustomer: { tombstone: string } }>(
    app,
    'mutation { eraseCustomer(email: "cy_%@example.org") { tombstone } }',
  );
  expect((await customers({ filter: { search: "cy_%" } })).data).toEqual([]);
  expect((await customers({ filter: { search: eraseCustomer.tombstone } })).data).toEqual([
    { ...listed.cy, email: eraseCustomer.tombstone },
  ]);
});
