import { useApp } from "../support/app";
import { clause, graphqlClause } from "../support/clause";
import { send, sendJson } from "../support/raw-http";
import { errorBody } from "../support/refusals";
import {
  layersOf,
  publicOperations,
  rootFields,
  routesOf,
  type RouteLayer,
} from "./served-operations";

// An operation that is new stands in neither list, and fails until somebody has decided.

/** What is refused without a token. */
const protectedOperations = [
  ...["POST /categories", "PATCH /categories/:id", "DELETE /categories/:id"],
  ...["POST /products", "PATCH /products/:id/status", "DELETE /products/:id", "GET /orders"],
  ...["Query.orders", "Query.ordersConnection", "Query.order", "Query.newsletterSubscribers"],
  ...["Mutation.createCategory", "Mutation.updateCategory", "Mutation.deleteCategory"],
  ...["Mutation.createProduct", "Mutation.updateProduct", "Mutation.setProductStatus"],
  ...["Mutation.deleteProduct", "Mutation.setOrderStatus", "Mutation.unsubscribeFromNewsletter"],
  ...["Mutation.renewToken", "Mutation.changePassword", "Mutation.confirmIdentity"],
  "Query.secondFactors",
  ...["Query.sessions", "Mutation.logOut", "Mutation.endSession", "Mutation.endOtherSessions"],
  ...["Query.programTokens", "Mutation.createProgramToken", "Mutation.endProgramToken"],
  ...["Mutation.startOneTimeCodes", "Mutation.confirmOneTimeCodes", "Mutation.endOneTimeCodes"],
  ...["Mutation.startPasskey", "Mutation.confirmPasskey", "Mutation.endPasskey"],
  "Mutation.startPasskeyConfirmation",
  ...["Query.webhookEndpoints", "Query.webhookEndpoint", "Mutation.createWebhookEndpoint"],
  ...["Mutation.updateWebhookEndpoint", "Mutation.deleteWebhookEndpoint"],
  ...["Mutation.rotateWebhookSecret", "Mutation.sendTestEvent", "Mutation.resendDelivery"],
  ...[
    "Mutation.resendEvents",
    "Query.auditLog",
    "Query.events",
    "Query.customerData",
    "Mutation.eraseCustomer",
    "Mutation.withdrawPrice",
    "Query.salesByDay",
    "Query.orderTotals",
    "Query.bestSellers",
    "Query.customers",
    "GET /admin/export/orders",
    "GET /admin/export/products",
    "GET /admin/export/subscribers",
    "POST /admin/import",
  ],
];

/** What answers below a path without being a route: files of the explorer. */
const mountedHandlers = ["leaveRouter", "noStore", "serveAssets"];

const app = useApp();

const served = (): RouteLayer[] => layersOf(app.shop.handler.router);

clause("11.routes", "every route and field is listed", { doors: ["REST", "GraphQL"] }, async () => {
  const operations = [
    ...routesOf(served()).map(([method, path]) => `${method} ${path}`),
    ...(await rootFields(app)).map(([name]) => name),
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

clause("5.8", "without a token, routes that are not public answer 401", async () => {
  for (const [method, path] of routesOf(served())) {
    const name = `${method} ${path}`;
    const request = {
      method: method === "ALL" ? "POST" : method,
      path: path.replace(/:[a-zA-Z]+/g, "1"),
      headers: { "content-type": "application/json" },
    };
    if (["/explorer", "/docs", "/admin/{*path}"].includes(path)) continue; // pages
    const { status, body } = await send(app.url, { ...request, body: "{}" });
    if (publicOperations.includes(name)) expect([name, status]).not.toEqual([name, 401]);
    else expect([name, status, body]).toEqual([name, 401, errorBody(401)]);
  }
});

graphqlClause("10.access", "without a token, fields that are not public are refused", async () => {
  for (const [name, query] of await rootFields(app)) {
    const { body } = await sendJson(app.url, "POST", "/graphql", JSON.stringify({ query }));
    const { errors = [] } = body as { errors?: { extensions: { code: string } }[] };
    const codes = errors.map(({ extensions }) => extensions.code);
    if (publicOperations.includes(name)) expect([name, ...codes]).not.toContain("UNAUTHENTICATED");
    else expect([name, ...codes]).toEqual([name, "UNAUTHENTICATED"]);
  }
});
