import { clauseEach } from "../support/clause";
import { aTime, expectParity, startTwins, type ParityCase, type Twins } from "../parity/twins";

let twins: Twins;
let listed: object[];
beforeAll(async () => {
  twins = await startTwins();
  for (const { make } of [twins.REST, twins.GraphQL]) {
    const { id: category_id } = await make.category();
    listed = [];
    for (let index = 0; index < 12; index += 1) {
      const created_at = new Date(Date.UTC(2024, 0, 1 + Math.floor(index / 2)));
      const { id, name, slug } = await make.product({ category_id, created_at });
      listed.unshift({
        id,
        name,
        slug,
        description: "",
        price: "10.00",
        isActive: true,
        categoryId: category_id,
        createdAt: created_at.toISOString(),
        updatedAt: aTime,
      });
    }
  }
});
afterAll(() => twins.close());

const page =
  (query: Record<string, number>, first: number, last: number): ParityCase =>
  () => {
    const { page: number = 1, pageSize = 10 } = query;
    const meta = { total: 12, page: number, pageSize, totalPages: Math.ceil(12 / pageSize) };
    return {
      operation: "listProducts",
      caller: "nobody",
      input: { query },
      ok: { data: listed.slice(first, last), meta },
    };
  };

clauseEach<ParityCase>(
  "8.1",
  "pages and their meta are the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "the defaults": page({}, 0, 10),
    "the last page of the defaults": page({ page: 2 }, 10, 12),
    "a size": page({ pageSize: 5 }, 0, 5),
    "a page of a size": page({ page: 3, pageSize: 5 }, 10, 12),
    "the greatest size": page({ pageSize: 50 }, 0, 12),
    "a page of one": page({ page: 12, pageSize: 1 }, 11, 12),
    "beyond the end": page({ page: 4, pageSize: 5 }, 0, 0),
    "far beyond the end": page({ page: 2_147_483_647, pageSize: 50 }, 0, 0),
  },
  (each) => expectParity(twins, each),
);

const refused =
  (operation: "listProducts" | "listOrders", query: Record<string, number>, message: string) =>
  () => ({ operation, input: { query }, refused: [400, message] as const });
const badPage = "Page must be greater than or equal to 1";
const badPageSize = "Page size must be between 1 and 50";

clauseEach<ParityCase>(
  "8.bounds",
  "pages outside the bounds are refused with the same message through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "page 0": refused("listProducts", { page: 0 }, badPage),
    "size 0": refused("listProducts", { pageSize: 0 }, badPageSize),
    "size 51": refused("listProducts", { pageSize: 51 }, badPageSize),
    "the greatest integer for a size": refused(
      "listProducts",
      { pageSize: 2_147_483_647 },
      badPageSize,
    ),
    "both, page first": refused("listProducts", { page: 0, pageSize: 51 }, badPage),
    "page 0 of the orders": refused("listOrders", { page: 0 }, badPage),
    "size 51 of the orders": refused("listOrders", { pageSize: 51 }, badPageSize),
  },
  (each) => expectParity(twins, each),
);
