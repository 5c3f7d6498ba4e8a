import { clauseEach } from "../support/clause";
import { administrate, endConnections } from "../support/database";
import { errorBody } from "../support/refusals";
import { through } from "../parity/doors";
import { operations, type Input, type OperationName } from "../parity/operations";
import { startTwins, type Twins } from "../parity/twins";

const name = "Tea";
const inputs: Record<OperationName, Input> = {
  login: { body: { email: "a@example.com", password: "x" } },
  listCategories: {},
  createCategory: { body: { name } },
  updateCategory: { id: 1, body: { name } },
  deleteCategory: { id: 1 },
  listProducts: {},
  productsOfCategory: { id: 1 },
  productsFilteredByCategory: { id: 1 },
  getProduct: { id: 1 },
  createProduct: { body: { name, price: "1.00", categoryId: 1 } },
  setProductStatus: { id: 1, body: { isActive: true } },
  deleteProduct: { id: 1 },
  placeOrder: {
    body: { customerEmail: "a@example.com", items: [{ productId: 1, quantity: 1 }] },
  },
  listOrders: {},
};

const all = Object.fromEntries(
  (Object.keys(operations) as OperationName[]).map((operation) => [operation, operation]),
) as Record<OperationName, OperationName>;

async function outcomesOf(twins: Twins, operation: OperationName) {
  const input = inputs[operation];
  const call = { operation, input };
  return {
    REST: await through.REST(twins.REST, { ...call, authorization: twins.REST.asAdmin }),
    GraphQL: await through.GraphQL(twins.GraphQL, {
      ...call,
      authorization: twins.GraphQL.asAdmin,
    }),
  };
}

describe("with databases that lack their tables", () => {
  let twins: Twins;
  beforeAll(async () => {
    twins = await startTwins();
    for (const app of [twins.REST, twins.GraphQL]) {
      await app.sql("ALTER TABLE admins RENAME COLUMN email TO mail");
      await app.sql("DROP TABLE categories, products, orders, order_items CASCADE");
    }
  });
  afterAll(() => twins.close());

  clauseEach<OperationName>(
    "7.500",
    "a fault of ours tells nothing of its cause through either door",
    { doors: ["REST", "GraphQL"] },
    all,
    async (operation) => {
      const logged = [twins.REST, twins.GraphQL].map(({ log }) => log.length);
      const outcome = { error: errorBody(500) };
      expect(await outcomesOf(twins, operation)).toEqual({ REST: outcome, GraphQL: outcome });
      for (const [index, { log }] of [twins.REST, twins.GraphQL].entries()) {
        expect(log.slice(logged[index]).join("")).toContain("does not exist");
      }
    },
  );
});

describe("with databases that are away", () => {
  let twins: Twins;
  beforeAll(async () => {
    twins = await startTwins();
    for (const { database } of [twins.REST, twins.GraphQL]) {
      await administrate(`ALTER DATABASE ${database.name} ALLOW_CONNECTIONS false`);
      await endConnections(database);
    }
  });
  afterAll(() => twins.close());

  clauseEach<OperationName>(
    "7.503",
    "both doors ask to come again, and say when",
    { doors: ["REST", "GraphQL"] },
    all,
    async (operation) => {
      const error = { ...errorBody(503), retryAfter: 1 };
      expect(await outcomesOf(twins, operation)).toEqual({ REST: { error }, GraphQL: { error } });
    },
  );
});
