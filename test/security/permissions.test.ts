import express from "express";
import { getMetadataStorage } from "type-graphql";
import { addRestRoutes } from "../../src/rest";
import { routes } from "../../src/rest/routes";
import { everyone, operations, type Operation } from "../../src/services/operations";
import { useApp } from "../support/app";
import { send, sendJson } from "../support/raw-http";
import { schema } from "../support/schema";
import { layersOf, rootFields, routesOf, type RouteLayer } from "./served-operations";

/** Which operation each route of REST is. */
const routeOperations: Record<string, Operation> = {
  "POST /auth/login": "login",
  "GET /categories": "categories",
  "POST /categories": "createCategory",
  "PATCH /categories/:id": "updateCategory",
  "DELETE /categories/:id": "deleteCategory",
  "GET /products": "products",
  "GET /products/category/:categoryId": "productsOfCategory",
  "GET /products/:id": "product",
  "POST /products": "createProduct",
  "PATCH /products/:id/status": "setProductStatus",
  "DELETE /products/:id": "deleteProduct",
  "POST /orders": "placeOrder",
  "GET /orders": "orders",
};

let authorize: jest.SpyInstance<Promise<unknown>, [string | undefined, readonly string[]]>;
const app = useApp();
beforeAll(() => {
  authorize = jest.spyOn(app.shop.services.authentication, "authorize");
});
beforeEach(() => authorize.mockClear());

/** The roles that were asked for, once each time; nothing where no credentials were looked at. */
const asked = () => authorize.mock.calls.map(([, roles]) => roles);

/** What the table makes a door ask for: once for the roles of the entry, or never. */
const askedBy = (operation: Operation) => {
  const { access } = operations[operation];
  return access === everyone ? [] : [access];
};

const restLayers = (): RouteLayer[] => {
  const alone = express();
  addRestRoutes(alone, app.shop.services, app.settings);
  return layersOf(alone.router);
};

test("every REST route is one operation of the table", () => {
  const served = routesOf(restLayers()).map((route) => route.join(" "));
  expect(served.sort()).toEqual(Object.keys(routeOperations).sort());
  expect(Object.fromEntries(Object.entries(routes).map(([name, route]) => [route, name]))).toEqual(
    routeOperations,
  );
});

test("REST asks for the roles that the table has for the operation, and for nothing else", async () => {
  for (const [method, path] of routesOf(restLayers())) {
    authorize.mockClear();
    const { status } = await send(app.url, {
      method,
      path: path.replace(/:[a-zA-Z]+/g, "1"),
      headers: { "content-type": "application/json", authorization: app.asAdmin },
      body: "{}",
    });
    const name = `${method} ${path}`;
    expect([name, ...asked()]).toEqual([name, ...askedBy(routeOperations[name]!)]);
    expect([401, 403]).not.toContain(status);
  }
});

test("GraphQL asks for the roles that the table has for the operation, and for nothing else", async () => {
  for (const [name, query] of await rootFields(app)) {
    authorize.mockClear();
    const body = JSON.stringify({ query });
    await sendJson(app.url, "POST", "/graphql", body, { authorization: app.asAdmin });
    const operation = name.replace(/^.*\./, "") as Operation;
    expect([name, ...asked()]).toEqual([name, ...askedBy(operation)]);
  }
});

test("no field of GraphQL carries roles but those of Query and Mutation, and these the table's", () => {
  const { queries, mutations, ...others } = getMetadataStorage();
  const carried = [...queries, ...mutations].map(({ schemaName, roles }) => [schemaName, roles]);
  const expected = rootNames().map((name) => [name, askedBy(name as Operation)[0]]);
  expect(Object.fromEntries(carried)).toEqual(Object.fromEntries(expected));
  expect(carried).toHaveLength(expected.length);
  const roots = new Set(
    [...queries, ...mutations].map((each) => placeOf(each.target, each.methodName)),
  );
  const below = others.authorizedFields.filter(
    ({ target, fieldName }) => !roots.has(placeOf(target, fieldName)),
  );
  expect([...below, ...others.authorizedResolver]).toEqual([]);
  expect(others.subscriptions).toEqual([]);
});

test("the table has an entry for each operation of both doors, and no other", () => {
  const served = new Set([...Object.values(routeOperations), ...rootNames()]);
  expect(Object.keys(operations).sort()).toEqual([...served].sort());
});

const placeOf = ({ name }: { name: string }, method: string): string => `${name}.${method}`;

const rootNames = (): string[] =>
  [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
