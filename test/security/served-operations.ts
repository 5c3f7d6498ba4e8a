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
import type { TestApp } from "../support/app";
import { sendJson } from "../support/raw-http";

/** What a router holds: a handler, a route with handlers of its own, or another router. */
export interface RouteLayer {
  readonly name: string;
  /** Whether it is mounted at `/`, where it only passes requests on. */
  readonly slash: boolean;
  /** Where it is mounted in the router that holds it. */
  readonly rawPath: unknown;
  /** Where the router that holds it is mounted; empty at the root. */
  readonly mounted?: string;
  readonly route?: {
    readonly path: unknown;
    readonly methods: Record<string, boolean>;
    readonly stack: readonly RouteLayer[];
  };
  readonly handle: { readonly stack?: RouteLayer[]; readonly length: number };
}

/** All layers of a router and of those in it. */
export const layersOf = ({ stack }: Pick<Router, "stack">): RouteLayer[] =>
  nested(stack as unknown as RouteLayer[]);

const nested = (stack: readonly RouteLayer[], mounted = ""): RouteLayer[] =>
  stack.flatMap((layer) => [
    { ...layer, mounted },
    ...nested(layer.handle.stack ?? [], layer.slash ? mounted : mounted + String(layer.rawPath)),
  ]);

/** The routes of these layers, such as `GET /products/:id`; each that answers nothing but 404 is left out. */
export const routesOf = (layers: readonly RouteLayer[]): [method: string, path: string][] =>
  layers.flatMap(({ route, mounted = "" }) =>
    Object.keys(route?.methods ?? {})
      .map((method): [string, string] => [
        method === "_all" ? "ALL" : method.toUpperCase(),
        route?.path === "/" && mounted !== "" ? mounted : mounted + String(route?.path),
      ])
      .filter(([method, path]) => `${method} ${path}` !== "OPTIONS /^/"),
  );

/** What anybody may call: routes as they are written in the service, and fields of Query and Mutation. */
export const publicOperations: readonly string[] = [
  ...["GET /categories", "GET /products", "GET /products/:id"],
  ...["GET /products/category/:categoryId", "POST /auth/login", "POST /orders"],
  ...["GET /health/live", "GET /health/ready", "GET /explorer", "GET /admin/{*path}"],
  ...["GET /", "GET /docs", "GET /openapi.json"],
  // Its fields are judged one by one.
  ...["GET /graphql", "ALL /graphql"],
  ...["Query.categories", "Query.category", "Query.products", "Query.product"],
  ...["Query.productsConnection", "Query.orderByLookup"],
  ...["Mutation.startPasskeyLogin", "Mutation.loginWithPasskey"],
  ...["Mutation.login", "Mutation.placeOrder", "Mutation.subscribeToNewsletter"],
  ...["Mutation.confirmSubscription", "Mutation.unsubscribe"],
  "Mutation.acceptInvitation",
];

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
  const times: Record<string, string> = {
    DateTime: '"2026-01-31T09:30:00.000Z"',
    Date: '"2026-01-31"',
  };
  return values[type.name] ?? times[type.name] ?? '"1"';
}

function callOf({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args.filter((each: GraphQLArgument) => isRequiredArgument(each));
  const list = given.map((each) => `${each.name}: ${literal(each.type)}`).join(", ");
  const selection = isLeafType(getNamedType(type)) ? "" : " { __typename }";
  return `${name}${list && `(${list})`}${selection}`;
}

/** A document for each field of each root type, such as `Query.products`. */
export async function rootFields(app: TestApp): Promise<[name: string, document: string][]> {
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
