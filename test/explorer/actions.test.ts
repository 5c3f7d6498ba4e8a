import { buildSchema } from "graphql";
import { readFileSync } from "node:fs";
import { asksBeforeRunning } from "../../src/explorer/client/actions/asks-before-running";
import { changedAnswer } from "../../src/explorer/client/actions/changed-answer";
import { changedOnly } from "../../src/explorer/client/actions/changed-only";
import { differencesOf } from "../../src/explorer/client/actions/differences";
import { rebased } from "../../src/explorer/client/actions/rebased";
import { runEach, type Item, type TriedState } from "../../src/explorer/client/actions/run-each";
import { sent } from "../../src/explorer/client/actions/sent";
import { applies, valuesOf } from "../../src/explorer/client/actions/values";
import { fullName, outcome, totalOf } from "../../src/explorer/client/actions/wording";
import { rowOperations } from "../../src/explorer/client/operations";
import type { InputOperation, Values } from "../../src/explorer/client/operations/row-operation";

const schema = buildSchema(readFileSync("schema.graphql", "utf8"));

test("what can't be undone asks before it runs, however it is written", () => {
  const asks = (query: string, variables = {}, operationName?: string) =>
    asksBeforeRunning({ query, variables, operationName });
  const undone = (deed: string) => `${deed}? This can’t be undone.`;

  expect(asks("mutation { deleteProduct(id: 5) { id } }")).toBe(undone("Delete product 5"));
  expect(asks("mutation { gone: deleteCategory(id: 2) { id } }")).toBe(undone("Delete category 2"));
  expect(
    asks("mutation M($x: Int!) { ...F } fragment F on Mutation { deleteProduct(id: $x) { id } }", {
      x: 7,
    }),
  ).toBe(undone("Delete product 7"));
  expect(
    asks(
      "mutation { ... { deleteProduct(id: 1) { id } deleteProduct2: deleteProduct(id: 2) { id } } }",
    ),
  ).toBe(undone("Delete product 1, and delete product 2"));

  const sets =
    "mutation S($to: OrderStatus! = CANCELLED) { setOrderStatus(id: 3, status: $to) { id } }";
  expect(asks(sets)).toBe(undone("Cancel order 3"));
  expect(asks(sets, { to: "CANCELLED" })).toBe(undone("Cancel order 3"));
  expect(asks(sets, { to: "PAID" })).toBeUndefined();
  expect(asks("mutation { setOrderStatus(id: 3, status: PAID) { id } }")).toBeUndefined();

  const two = "query Q { product(id: 1) { id } } mutation M { deleteProduct(id: 1) { id } }";
  expect(asks(two, {}, "Q")).toBeUndefined();
  expect(asks(two, {}, "M")).toBe(undone("Delete product 1"));
  expect(asks("mutation { deleteProduct(")).toBeUndefined();
  expect(asks("mutation { ...F } fragment F on Mutation { ...F }")).toBeUndefined();
});

test("a changed object is shown wherever an answer shows it with its id", () => {
  const query = `{
    order(id: 1) { id items { id product { ...P other: category { id title: name } } } }
    products(pageSize: 2) { data { number: id name price } }
    nameless: products { data { name } }
  }
  fragment P on Product { id label: name }`;
  const product = (id: number, name: string) => ({ id, label: name });
  const answer = {
    data: {
      order: {
        id: 1,
        items: [
          { id: 5, product: { ...product(5, "Old"), other: { id: 2, title: "Green" } } },
          { id: 6, product: { ...product(6, "Else"), other: { id: 2, title: "Green" } } },
        ],
      },
      products: {
        data: [
          { number: 5, name: "Old", price: "1.00" },
          { number: 6, name: "Else", price: "1.00" },
        ],
      },
      nameless: { data: [{ name: "Old" }] },
    },
  };
  const values = { id: 5, name: "New", price: "2.00", category: { id: 3, name: "Black" } };
  expect(
    changedAnswer(schema, { request: { query }, answer }, { typeName: "Product", values }),
  ).toEqual({
    data: {
      order: {
        id: 1,
        items: [
          { id: 5, product: { ...product(5, "New"), other: { id: 3, title: "Black" } } },
          { id: 6, product: { ...product(6, "Else"), other: { id: 2, title: "Green" } } },
        ],
      },
      products: {
        data: [
          { number: 5, name: "New", price: "2.00" },
          { number: 6, name: "Else", price: "1.00" },
        ],
      },
      nameless: { data: [{ name: "Old" }] },
    },
  });
});

test("an action applies where the row shows what it needs, under whatever key", () => {
  const markPaid = rowOperations.find(({ label }) => label === "Mark paid")!;
  const row = { number: 1, state: "PENDING", customer: "anna@example.com", version: 1 };
  const columns = [
    { path: ["number"], fields: ["id"] },
    { path: ["customer"], fields: ["customerEmail"] },
    { path: ["version"], fields: ["version"] },
  ];
  expect(applies(markPaid, valuesOf({ columns }, row))).toBe(false);
  const withState = [...columns, { path: ["state"], fields: ["status"] }];
  expect(applies(markPaid, valuesOf({ columns: withState }, row))).toBe(true);
  const paid = { ...row, state: "PAID" };
  expect(applies(markPaid, valuesOf({ columns: withState }, paid))).toBe(false);
});

test("a round goes on after a failure of a row, and ends with one of the service", async () => {
  const items = [1, 2, 3].map((id): Item => ({ values: { id }, state: "waiting" }));
  const refusal = { messages: ["No"], isForGood: false, isOutdated: false, isConflict: false };
  const round = (concernsService: boolean) =>
    runEach(items, {
      state: "waiting",
      act: ({ id }) => Promise.resolve(id === 2 ? { ...refusal, concernsService } : undefined),
      isStopped: () => false,
      onProgress: () => undefined,
    });
  const states = (all: readonly Item[]) => all.map(({ state }) => state);
  expect(states(await round(false))).toEqual(["done", "failed", "done"]);
  expect(states(await round(true))).toEqual(["done", "failed", "waiting"]);
});

test("a row that somebody else has changed is tried again with the values that it has now", async () => {
  const refusal = { messages: [], isForGood: false, isOutdated: true, isConflict: true };
  const concernsService = false;
  const tried: Values[] = [];
  const round = (items: readonly Item[], state: TriedState, present?: Values) =>
    runEach(items, {
      state,
      act: (values) => {
        tried.push(values);
        return Promise.resolve(present && { ...refusal, concernsService, present });
      },
      isStopped: () => false,
      onProgress: () => undefined,
    });
  const [first, second, third] = [1, 2, 3].map((version) => ({ id: 1, version }));
  const once = await round([{ values: first!, state: "waiting" }], "waiting", second);
  expect(once).toMatchObject([{ values: first, state: "changed", failure: { present: second } }]);
  expect(await round(once, "failed")).toEqual(once);
  const twice = await round(once, "changed", third);
  expect(twice).toMatchObject([{ values: second, state: "changed", failure: { present: third } }]);
  expect(await round(twice, "changed")).toEqual([{ values: third, state: "done" }]);
  expect(tried).toEqual([first, second, third]);
});

test("a conflict is a refusal because of the version, and no other one", async () => {
  const refused = (reason: string) =>
    sent(
      () =>
        Promise.resolve({
          errors: [
            { message: "No", extensions: { code: "CONFLICT", reasons: [{ code: reason }] } },
          ],
        }),
      { query: "" },
    );
  expect((await refused("VERSION")).failure).toMatchObject({ isConflict: true, isOutdated: true });
  expect((await refused("IN_USE")).failure).toMatchObject({ isConflict: false, isOutdated: true });
});

test("what differs is named by field, with long texts last, and what was not seen if nothing else differs", () => {
  const seen = { id: 1, version: 1, name: "Sencha", description: "Mild", price: "8.00" };
  const now = { ...seen, version: 2, price: "9.00", updatedAt: "later", category: { id: 3 } };
  const price = { field: "price", seen: "8.00", now: "9.00", wanted: undefined };
  expect(differencesOf({ seen, now })).toEqual([price]);
  const wanted = { price: "8.80", name: "Gyokuro" };
  expect(differencesOf({ seen, now, wanted })).toEqual([
    { field: "name", seen: "Sencha", now: "Sencha", wanted: "Gyokuro" },
    { ...price, wanted: "8.80" },
  ]);
  const long = { ...now, description: "Long ".repeat(50) };
  expect(differencesOf({ seen, now: long }).map(({ field }) => field)).toEqual([
    "price",
    "description",
  ]);
  expect(differencesOf({ seen: { id: 1, price: "9.00" }, now }).map(({ field }) => field)).toEqual([
    "name",
    "description",
  ]);
  expect(differencesOf({ seen: now, now })).toEqual([]);
});

test("a form that goes on after a change of somebody else has both", () => {
  const operation = (label: string) =>
    rowOperations.find((each) => each.type === "Product" && each.label === label) as InputOperation;
  const row = { id: 1, slug: "sencha", description: "", isActive: true, categoryId: 2 };
  const present = { ...row, name: "Theirs", price: "9.00", version: 5 };
  const edited = { id: 1, expectedVersion: 4, input: { price: "8.80" } };
  const { id, version, ...fields } = present;
  expect(rebased(operation("Edit"), edited, present)).toEqual({
    seen: { values: present, variables: { id, expectedVersion: version, input: fields } },
    variables: { id, expectedVersion: version, input: { ...fields, price: "8.80" } },
  });
  const repriced = { id: 1, expectedVersion: 4, price: "8.80" };
  expect(rebased(operation("Change price"), repriced, present)).toEqual({
    seen: { values: present, variables: { id, expectedVersion: version, price: "9.00" } },
    variables: { id, expectedVersion: version, price: "8.80" },
  });
});

test("a failure tells whether it is the service's or for good, and when to try again", async () => {
  const refused = (code: string, retryAfter = 0) =>
    sent(
      () =>
        Promise.resolve({
          errors: [{ message: code, extensions: { code, http: { message: "No", retryAfter } } }],
        }),
      { query: "" },
    );
  for (const code of ["SERVICE_UNAVAILABLE", "TOO_MANY_REQUESTS", "UNAUTHENTICATED"]) {
    const { failure } = await refused(code);
    expect(failure).toMatchObject({ concernsService: true, isForGood: false, isOutdated: false });
  }
  const forbidden = await refused("FORBIDDEN");
  expect(forbidden.failure).toMatchObject({ concernsService: true, isForGood: true });
  for (const code of ["CONFLICT", "NOT_FOUND", "BAD_USER_INPUT"]) {
    const { failure } = await refused(code);
    const isOutdated = code !== "BAD_USER_INPUT";
    expect(failure).toMatchObject({ concernsService: false, isForGood: true, isOutdated });
  }
  const { failure } = await refused("TOO_MANY_REQUESTS", 20);
  expect(failure?.messages).toEqual(["No", "Try again in 20 seconds"]);
  const unreachable = await sent(() => Promise.reject(new Error("Away")), { query: "" });
  expect(unreachable.failure).toEqual({
    messages: ["Away"],
    concernsService: true,
    isForGood: false,
    isOutdated: false,
    isConflict: false,
  });
});

test("only what was changed is left of an input", () => {
  const before = { id: 1, input: { name: "A", price: "1.00", slug: "a" } };
  const after = { id: 1, input: { name: "A", price: "2.00", slug: "a" } };
  expect(changedOnly(before, after, "input")).toEqual({ id: 1, input: { price: "2.00" } });
  expect(changedOnly(before, before, "input")).toBeUndefined();
});

test("things are named with what is known of them", () => {
  expect(fullName("Order", { id: 12 })).toBe("order 12");
  const order = { id: 12, customerEmail: "anna@example.com", totalAmount: "23.50" };
  expect(fullName("Order", order)).toBe("order 12 of anna@example.com (23.50)");
  expect(fullName("Product", { id: 3, name: "Sencha" })).toBe("“Sencha” (product 3)");
  const tried = (...states: Item["state"][]) => states.map((state) => ({ values: order, state }));
  expect(outcome("Order", tried("done"), "PAID")).toBe("Order 12 is PAID");
  expect(outcome("Order", tried("failed"), "PAID")).toBe("Order 12 is not PAID");
  expect(outcome("Order", tried("done", "failed"), "PAID")).toBe("1 of 2 orders are PAID");
  expect(totalOf([order, { totalAmount: "0.10" }, { totalAmount: "0.20" }])).toBe("23.80");
  expect(totalOf([{ totalAmount: "19.99" }, { totalAmount: "4.35" }])).toBe("24.34");
  expect(totalOf([order, { id: 1 }])).toBeUndefined();
});
