import { readFile } from "node:fs/promises";
import path from "node:path";
import { buildSchema } from "graphql";
import { execute, type GraphqlBody } from "../graphql/client";
import { useApp } from "../support/app";
import { protectedOperations } from "../support/protected-operations";
import { send, sendJson } from "../support/raw-http";
import { inParts } from "../support/repetitions";
import { everythingStored } from "../support/stored";
import { forgedTokens, claiming, type Account, type World } from "./forged-tokens";
import { protectedGraphql } from "./graphql-operations";
import { misplacedTokens, type Misplaced } from "./misplaced-tokens";
import { mistypedTokens } from "./mistyped-tokens";

jest.setTimeout(60_000);

let world: World;
let id: number;
/** What is there, which nobody is to change. */
let stored: object;
const app = useApp();
beforeAll(async () => {
  const account = async (values: object = {}): Promise<Account> =>
    (await app.make.admin(values)) as Account;
  world = {
    secret: app.settings.tokens.secret,
    removedSecret: "a secret of last year, 32 characters or more",
    admin: await account(),
    other: await account({ password: "another password" }),
    deactivated: await account({ is_active: false }),
    demoted: await account({ role: "EDITOR" }),
    deleted: await account(),
  };
  await app.sql("DELETE FROM admins WHERE id = $1", [world.deleted.id]);
  const product = await app.make.product();
  const order = await app.make.order();
  await app.make.subscriber({ email: "reader@example.com" });
  const endpoint = await app.make.webhookEndpoint();
  // One id names one of each, so that whoever gets through does harm.
  id = product.id;
  expect([product.category_id, order.id, endpoint.id]).toEqual([id, id, id]);
  stored = await everythingStored(app);
});

const everyRoute = Object.keys(protectedOperations);
const everyField = Object.keys(protectedGraphql(0));

/** The status of protected operations at both doors; GraphQL's is the one that REST would answer with. */
async function statuses(
  { headers = {}, query = "", body = {} }: Misplaced,
  routes = everyRoute,
  fields = everyField,
) {
  const rest = routes.map(async (name) => {
    const operation = protectedOperations[name]!;
    const { status } = await send(app.url, {
      method: operation.method,
      path: operation.path(id) + query,
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ ...operation.body, ...body }),
    });
    return [name, status] as const;
  });
  const requests = protectedGraphql(id);
  const graphql = fields.map(async (name) => {
    const variables = { extensions: body, variables: body };
    const text = JSON.stringify({ ...requests[name], ...variables, ...body });
    const answer = await sendJson(app.url, "POST", `/graphql${query}`, text, headers);
    const { data, errors } = answer.body as GraphqlBody;
    const nothing = data === undefined || data === null || Object.values(data).every(isNull);
    const status = errors?.length === 1 && nothing ? errors[0]!.extensions.http.statusCode : 200;
    return [`GraphQL ${name}`, status] as const;
  });
  return Object.fromEntries(await Promise.all([...rest, ...graphql]));
}

const isNull = (value: unknown): boolean => value === null;

const nextRoutes = inParts(everyRoute, 3);
const nextFields = inParts(everyField, 3);

async function expectNothingGranted(request: Misplaced): Promise<void> {
  const answered = await statuses(request, nextRoutes(), nextFields());
  const admitted = Object.entries(answered).filter(
    ([, status]) => status !== 401 && status !== 403,
  );
  expect(admitted).toEqual([]);
  const before = stored;
  stored = await everythingStored(app);
  expect(stored).toEqual(before);
}

test("every field of the GraphQL door that is not public is attacked", async () => {
  const schema = buildSchema(await readFile(path.join(__dirname, "../../schema.graphql"), "utf8"));
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  const open = ["categories", "category", "products", "product", "productsConnection"];
  const forEveryone = [
    ...[...open, "orderByLookup"],
    ...["login", "placeOrder", "subscribeToNewsletter"],
  ];
  expect([...everyField, ...forEveryone].sort()).toEqual(fields.sort());
});

test("the tables hold at least 60 forged, stale, mistyped and misplaced tokens", () => {
  const tables = [forgedTokens, mistypedTokens, misplacedTokens];
  expect(tables.flatMap((table) => Object.keys(table)).length).toBeGreaterThanOrEqual(60);
});

describe.each(Object.entries(forgedTokens))("forged: %s", (_label, tokenOf) => {
  test("opens nothing", async () => {
    await expectNothingGranted({ headers: { authorization: `Bearer ${tokenOf(world)}` } });
  });
});

describe.each(Object.entries(mistypedTokens))("stale or mistyped: %s", (_label, tokenOf) => {
  test("opens nothing", async () => {
    await expectNothingGranted({ headers: { authorization: `Bearer ${tokenOf(world)}` } });
  });
});

describe.each(Object.entries(misplacedTokens))("misplaced: %s", (_label, placed) => {
  test("opens nothing", async () => {
    await expectNothingGranted(placed(claiming(world)));
  });
});

test("a form with a good token opens nothing", async () => {
  const body = `access_token=${claiming(world)}&name=Oolong`;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status } = await send(app.url, { method: "POST", path: "/categories", headers, body });
  expect(status).toBe(401);
});

test("at GraphQL a good token does not open a field for another request", async () => {
  const authorization = `Bearer ${claiming(world)}`;
  const request = { query: "{ orders { meta { total } } }" };
  const [good, bad] = await Promise.all([
    execute(app, request, authorization),
    execute(app, request, "Bearer x.y.z"),
  ]);
  expect(good.body.errors).toBeUndefined();
  expect(bad.body.errors?.[0]?.extensions.code).toBe("UNAUTHENTICATED");
});

// Last, as it does what the others must not: the same calls under a good token.
test("a good token opens everything that was attacked", async () => {
  const before = await everythingStored(app);
  const answered = await statuses({ headers: { authorization: `Bearer ${claiming(world)}` } });
  const refused = Object.entries(answered).filter(([, status]) => [401, 403].includes(status));
  expect(refused).toEqual([]);
  expect(await everythingStored(app)).not.toEqual(before);
});
