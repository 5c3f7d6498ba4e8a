import type { Router } from "express";
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type IntrospectionQuery,
} from "graphql";
import { startApp, type TestApp } from "../support/app";
import { unauthorized } from "../support/protected-operations";
import { send, sendJson } from "../support/raw-http";

// An operation that is new stands in neither list, and fails until somebody has decided.

/** What anybody may call: routes as they are written in the service, and fields of Query and Mutation. */
const publicOperations = [
  ...["GET /categories", "GET /products", "GET /products/:id"],
  ...["GET /products/category/:categoryId", "POST /auth/login", "POST /orders"],
  ...["GET /health/live", "GET /health/ready", "GET /explorer"],
  // Its fields are judged one by one.
  ...["GET /graphql", "ALL /graphql"],
  ...["Query.categories", "Query.category", "Query.products", "Query.product"],
  ...["Query.productsConnection"],
  ...["Mutation.login", "Mutation.placeOrder", "Mutation.subscribeToNewsletter"],
];

/** What is refused without a token. */
const protectedOperations = [
  ...["POST /categories", "PATCH /categories/:id", "DELETE /categories/:id"],
  ...["POST /products", "PATCH /products/:id/status", "DELETE /products/:id", "GET /orders"],
  ...["Query.orders", "Query.ordersConnection", "Query.order", "Query.newsletterSubscribers"],
  ...["Mutation.createCategory", "Mutation.updateCategory", "Mutation.deleteCategory"],
  ...["Mutation.createProduct", "Mutation.updateProduct", "Mutation.setProductStatus"],
  ...["Mutation.deleteProduct", "Mutation.setOrderStatus", "Mutation.unsubscribeFromNewsletter"],
];

/** What answers below a path without being a route: files of the explorer. */
const mountedHandlers = ["noStore", "serveStatic"];

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

interface RouteLayer {
  readonly name: string;
  /** Whether it is mounted at `/`, where it only passes requests on. */
  readonly slash: boolean;
  readonly route?: { readonly path: unknown; readonly methods: Record<string, boolean> };
  readonly handle: { readonly stack?: RouteLayer[]; readonly length: number };
}

/** All layers of a router and of those in it. */
const layersOf = (stack: readonly RouteLayer[]): RouteLayer[] =>
  stack.flatMap((layer) => [layer, ...layersOf(layer.handle.stack ?? [])]);

const served = (): RouteLayer[] => {
  const { stack } = app.shop.handler.router as unknown as Router;
  return layersOf(stack as unknown as RouteLayer[]);
};

/** The routes of the service, such as `GET /products/:id`; each that answers nothing but 404 is left out. */
const routes = (): [method: string, path: string][] =>
  served().flatMap(({ route }) =>
    Object.keys(route?.methods ?? {})
      .map((method): [string, string] => [
        method === "_all" ? "ALL" : method.toUpperCase(),
        String(route?.path),
      ])
      .filter(([method, path]) => `${method} ${path}` !== "OPTIONS /^/"),
  );

/** The least that a field accepts, as text. */
function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType);
  if (isListType(type)) return `[${literal(type.ofType)}]`;
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{ ${required.map((field) => `${field.name}: ${literal(field.type)}`).join(", ")} }`;
  }
  const values: Record<string, string> = { Int: "1", Float: "1", Boolean: "true" };
  const times: Record<string, string> = { DateTime: '"2026-01-31T09:30:00.000Z"' };
  return values[type.name] ?? times[type.name] ?? '"1"';
}

function callOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args.filter((each: GraphQLArgument) => isRequiredArgument(each));
  const list = given.map((each) => `${each.name}: ${literal(each.type)}`).join(", ");
  const selection = isLeafType(getNamedType(type)) ? "" : " { __typename }";
  return `${name}${list && `(${list})`}${selection}`;
}

/** A document for each field of each root type, such as `Query.products`. */
async function fields(): Promise<[name: string, document: string][]> {
  const query = getIntrospectionQuery();
  const { body } = await sendJson(app.url, "POST", "/graphql", JSON.stringify({ query }));
  const schema = buildClientSchema((body as { data: IntrospectionQuery }).data);
  const roots = { Query: schema.getQueryType(), Mutation: schema.getMutationType() };
  expect(schema.getSubscriptionType() ?? null).toBeNull();
  return Object.entries(roots).flatMap(([root, type]) =>
    Object.values(type?.getFields() ?? {}).map((field): [string, string] => [
      `${root}.${field.name}`,
      `${root.toLowerCase()} { ${callOf(field)} }`,
    ]),
  );
}

test("every route and every field is listed, as public or as protected", async () => {
  const operations = [
    ...routes().map(([method, path]) => `${method} ${path}`),
    ...(await fields()).map(([name]) => name),
  ];
  const listed = [...publicOperations, ...protectedOperations];
  expect([...new Set(operations)].sort()).toEqual(listed.sort());
});

test("nothing else is mounted below a path", () => {
  const others = served().filter(({ slash, route, handle }) => !slash && !route && !handle.stack);
  // What takes four parameters only words the answers of failures.
  const answering = others.filter(({ handle }) => handle.length < 4);
  expect([...new Set(answering.map(({ name }) => name))].sort()).toEqual(mountedHandlers);
});

test("without a token every route that is not public answers 401, and public ones do not", async () => {
  for (const [method, path] of routes()) {
    const name = `${method} ${path}`;
    const request = {
      method: method === "ALL" ? "POST" : method,
      path: path.replace(/:[a-zA-Z]+/g, "1"),
      headers: { "content-type": "application/json" },
    };
    if (path === "/explorer") continue; // a page
    const { status, body } = await send(app.url, { ...request, body: "{}" });
    if (publicOperations.includes(name)) expect([name, status]).not.toEqual([name, 401]);
    else expect([name, status, body]).toEqual([name, 401, unauthorized]);
  }
});

test("without a token every field that is not public is UNAUTHENTICATED, and public ones are not", async () => {
  for (const [name, query] of await fields()) {
    const { body } = await sendJson(app.url, "POST", "/graphql", JSON.stringify({ query }));
    const { errors = [] } = body as { errors?: { extensions: { code: string } }[] };
    const codes = errors.map(({ extensions }) => extensions.code);
    if (publicOperations.includes(name)) expect([name, ...codes]).not.toContain("UNAUTHENTICATED");
    else expect([name, ...codes]).toEqual([name, "UNAUTHENTICATED"]);
  }
});
