import { execFileSync } from "node:child_process";
import path from "node:path";
import { operations } from "../../src/services/operations";
import { layersOf, routesOf } from "../security/served-operations";
import { useApp } from "../support/app";
import { clause } from "../support/clause";
import { at, expectValid, openapi } from "../support/openapi";

const root = path.join(__dirname, "../..");

const app = useApp();

/** The operations of the document, by method and path as routers write them. */
const documented = (): [route: string, operation: { operationId?: string }][] =>
  Object.entries(openapi.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, object] => [
      `${method.toUpperCase()} ${template.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      operation,
    ]),
  );

test("Redocly's recommended rules find nothing", () => {
  const found: unknown = JSON.parse(
    execFileSync(process.execPath, [path.join(root, "scripts/lint-openapi.mjs")], {
      encoding: "utf8",
    }),
  );
  // Paths that look alike to the linter, which does not compare their methods.
  const alike = { ruleId: "no-ambiguous-paths", ignored: true };
  expect(found).toEqual([{ ...alike, message: expect.stringContaining("/products/{id}/status") }]);
});

clause("9.openapi.routes", "every route is in the document, and nothing else is", () => {
  const routes = routesOf(layersOf(app.shop.handler.router)).map((each) => each.join(" "));
  const served = routes.flatMap((route) =>
    route === "ALL /graphql" ? ["GET /graphql", "POST /graphql"] : [route],
  );
  const others = served.filter((route) => !/ [/]admin[/]/.test(route));
  const found = documented().map(([route]) => route);
  expect(found.sort()).toEqual([...new Set(others)].sort());
});

test("an operation of the shop has the name that the table of operations has for it, and needs a token if the table says so", () => {
  const ids = documented().map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [route, operation] of documented()) {
    const access = new Map(Object.entries(operations)).get(operation.operationId ?? "")?.access;
    const { security, responses } = operation as { security: unknown[]; responses: object };
    const isProtected = Array.isArray(access);
    expect([route, security.length > 0, "401" in responses, "403" in responses]).toEqual([
      route,
      ...[isProtected, isProtected, isProtected],
    ]);
  }
});

/** Everything in a value that the predicate finds, with its JSON pointer. */
function pointersTo(
  value: unknown,
  isFound: (value: object) => boolean,
  pointer = "",
): [pointer: string, value: Record<string, unknown>][] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.entries(value).flatMap(([key, each]) => {
    const token = key.replaceAll("~", "~0").replaceAll("/", "~1");
    return pointersTo(each, isFound, `${pointer}/${token}`);
  });
  return isFound(value) ? [[pointer, value as Record<string, unknown>], ...below] : below;
}

test("every example is valid under the schema that it stands beside", () => {
  let checked = 0;
  for (const [pointer, { schema: _, example, examples }] of pointersTo(
    openapi,
    (each) => "schema" in each,
  )) {
    const named = Object.values((examples ?? {}) as Record<string, { value: unknown }>);
    for (const value of [
      ...(example === undefined ? [] : [example]),
      ...named.map((each) => each.value),
    ]) {
      expectValid(`${pointer}/schema`, value);
      checked += 1;
    }
  }
  for (const [pointer, { examples }] of pointersTo(
    openapi,
    ({ examples }: { examples?: unknown }) => Array.isArray(examples),
  )) {
    for (const value of examples as unknown[]) {
      expectValid(pointer, value);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(120);
});

interface WithExamples {
  readonly $ref?: string;
  readonly example?: unknown;
  readonly examples?: object;
  readonly schema?: WithExamples;
}

/** Whether a parameter or a message has an example, itself or in the schema that it refers to. */
function hasExample({ $ref, example, examples, schema }: WithExamples): boolean {
  if (example !== undefined || Object.keys(examples ?? {}).length > 0) return true;
  if ($ref !== undefined) return hasExample(at($ref.slice(1)) as WithExamples);
  return schema !== undefined && hasExample(schema);
}

test("every parameter, and every request and answer of JSON, has an example", () => {
  const parameters = pointersTo(openapi, (each) => "in" in each && "name" in each);
  const messages = pointersTo(openapi, (each) => "content" in each).flatMap(
    ([pointer, { content }]) =>
      Object.entries(content as Record<string, WithExamples>)
        .filter(([type]) => type.endsWith("json"))
        .map(([type, each]): [string, WithExamples] => [`${pointer} ${type}`, each]),
  );
  const all = [...parameters, ...messages];
  expect(all.filter(([, each]) => !hasExample(each)).map(([pointer]) => pointer)).toEqual([]);
  expect([parameters.length > 10, messages.length > 50]).toEqual([true, true]);
});

test("every answer names the headers that all have, so that no extension must be read for them", () => {
  const { responses } = openapi.components;
  const answers = [
    ...Object.values(responses),
    ...documented().flatMap(([, operation]) =>
      Object.values((operation as { responses: object }).responses as Record<string, object>),
    ),
  ].filter((each) => !("$ref" in each));
  const names = [
    "Content-Security-Policy",
    "Strict-Transport-Security",
    "X-Content-Type-Options",
    "X-Request-Id",
  ];
  for (const { headers } of answers as { headers: object }[]) {
    expect(Object.keys(headers)).toEqual(expect.arrayContaining(names));
  }
});

test("all objects of the shop's requests and answers are closed", () => {
  const open = pointersTo(
    openapi,
    (each) => "properties" in each && !("additionalProperties" in each),
  );
  // GraphQL's request, which may have members that the service ignores.
  expect(open.map(([pointer]) => pointer)).toEqual(["/components/schemas/GraphQLRequest"]);
});
