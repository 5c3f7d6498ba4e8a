import { Client } from "pg";
import { Webhook } from "standardwebhooks";
import { dataOf, refusalOf } from "../graphql/client";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { dumpOf } from "../support/dump";
import { eventually } from "../support/eventually";
import { waitingForLocks } from "../support/locks";
import { leftBy } from "../record/entries";
import { rotateSecret } from "./endpoint";
import { startReceiver } from "./receiver";
import { brief, createEndpoint, useDispatchingApp } from "./told";

jest.setTimeout(60_000);

const app = useDispatchingApp();

const FIELDS = `id url description types isActive disabledBecause failingSince includeLookup createdAt version`;

type Endpoint = Readonly<Record<string, unknown>> & { readonly id: number };

const CREATE = `mutation ($input: CreateWebhookEndpointInput!) {
  created: createWebhookEndpoint(input: $input) { secret endpoint { ${FIELDS} } }
}`;
const UPDATE = `mutation ($id: Int!, $input: UpdateWebhookEndpointInput!, $expectedVersion: Int) {
  updated: updateWebhookEndpoint(id: $id, input: $input, expectedVersion: $expectedVersion) { ${FIELDS} }
}`;

const create = async (input: object) =>
  (await dataOf<{ created: { secret: string; endpoint: Endpoint } }>(app, CREATE, { input }))
    .created;
const update = async (id: number, input: object, expectedVersion?: number) =>
  (await dataOf<{ updated: Endpoint }>(app, UPDATE, { id, input, expectedVersion })).updated;
const all = async () =>
  (await dataOf<{ webhookEndpoints: Endpoint[] }>(app, `{ webhookEndpoints { ${FIELDS} } }`))
    .webhookEndpoints;

const URL = "https://mail.example.com/hooks?shop=tea";

graphqlClause("10.webhooks", "an endpoint is created, shown, changed and deleted", async () => {
  const { endpoint } = await create({ url: URL });
  expect(endpoint).toEqual({
    ...{ id: expect.any(Number), url: URL, description: "", types: [], isActive: true },
    ...{ disabledBecause: null, failingSince: null, includeLookup: false, version: 1 },
    createdAt: expect.stringMatching(/Z$/),
  });
  const other = await create({
    ...{ url: "http://mail.example.com:8080", description: "The mailer", includeLookup: true },
    types: ["order.placed", "customer.erased"],
  });
  expect(other.endpoint).toMatchObject({
    ...{ description: "The mailer", includeLookup: true },
    types: ["order.placed", "customer.erased"],
  });
  expect(await all()).toEqual([endpoint, other.endpoint]);
  const changed = await update(endpoint.id, { types: ["order.placed"], description: "x" });
  expect(changed).toEqual({ ...endpoint, types: ["order.placed"], description: "x", version: 2 });
  expect(await update(endpoint.id, { description: "x" })).toEqual(changed);
  expect(await update(endpoint.id, {})).toEqual(changed);
  await dataOf(app, `mutation { deleteWebhookEndpoint(id: ${endpoint.id}) { id } }`);
  expect(await all()).toEqual([other.endpoint]);
  expect(await dataOf(app, `{ webhookEndpoint(id: ${endpoint.id}) { id } }`)).toEqual({
    webhookEndpoint: null,
  });
});

graphqlClauseEach(
  "10.webhooks",
  "an input that can't be is refused, and nothing is stored",
  {
    "no URL": [{ url: "" }, "url should not be empty"],
    "no address": [{ url: "mail" }, "url must be an http or https URL"],
    "another scheme": [{ url: "ftp://example.com/" }, "url must be an http or https URL"],
    "a user": [{ url: "https://me@example.com/" }, "url must not have a user"],
    "a password": [{ url: "https://:secret@example.com/" }, "url must not have a user"],
    both: [{ url: "https://me:secret@example.com/" }, "url must not have a user"],
    "a fragment": [{ url: "https://example.com/#a" }, "url must not have a fragment"],
    "an empty fragment": [{ url: "https://example.com/#" }, "url must not have a fragment"],
    "a long URL": [
      { url: `https://example.com/${"a".repeat(1_981)}` },
      "url must be shorter than or equal to 2000 characters",
    ],
    "a long description": [
      { url: URL, description: "a".repeat(501) },
      "description must be shorter than or equal to 500 characters",
    ],
    "an unknown type": [
      { url: URL, types: ["order.eaten"] },
      expect.stringMatching(/^types must be some of the following values: category\.created, /),
    ],
    "a type twice": [
      { url: URL, types: ["order.placed", "order.placed"] },
      "types must not name a value twice",
    ],
  },
  async ([input, message]) => {
    const { id } = (await create({ url: URL })).endpoint;
    for (const [document, variables] of [
      [CREATE, { input }],
      [UPDATE, { id, input }],
    ] as const) {
      const refusal = await refusalOf(app, document, variables);
      expect(refusal.http).toMatchObject({ statusCode: 400, message: [message] });
    }
    expect(await all()).toMatchObject([{ id, version: 1 }]);
  },
);

graphqlClause("10.webhooks", "the longest texts are accepted, and few nulls", async () => {
  const url = `https://example.com/${"ä".repeat(1_980)}`;
  const { endpoint } = await create({
    ...{ url, description: "茶".repeat(500), types: null, includeLookup: null },
  });
  expect(endpoint).toMatchObject({ url, types: [], includeLookup: false });
  for (const name of ["url", "description", "types", "isActive", "includeLookup"]) {
    const refusal = await refusalOf(app, UPDATE, { id: endpoint.id, input: { [name]: null } });
    expect([name, refusal.http.statusCode]).toEqual([name, 400]);
  }
});

graphqlClause("10.webhooks", "of two administrators, the second one learns of it", async () => {
  const { id } = (await create({ url: URL })).endpoint;
  await update(id, { description: "first" }, 1);
  const variables = { id, input: { description: "second" }, expectedVersion: 1 };
  expect(await refusalOf(app, UPDATE, variables)).toMatchObject({
    ...{ code: "CONFLICT", reasons: [{ code: "VERSION" }] },
  });
  const unknown = { ...variables, id: id + 1_000 };
  expect((await refusalOf(app, UPDATE, unknown)).code).toBe("NOT_FOUND");
  for (const field of ["rotateWebhookSecret(id: 0)", "deleteWebhookEndpoint(id: 0) { id }"]) {
    expect((await refusalOf(app, `mutation { ${field} }`)).code).toBe("NOT_FOUND");
  }
});

graphqlClause("10.webhooks", "there are at most 100 endpoints", async () => {
  await app.sql(
    "INSERT INTO webhook_endpoints (url, secret) SELECT 'https://example.com', 'x' FROM generate_series(1, 99)",
  );
  // Nobody's row is stored before all three have got as far as they get beside each other.
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query("BEGIN; LOCK TABLE webhook_endpoints IN SHARE MODE");
  const creating = Promise.allSettled([1, 2, 3].map(() => create({ url: URL })));
  await eventually(async () => (await waitingForLocks(app)) >= 3);
  await holder.end();
  const answers = await creating;
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await refusalOf(app, CREATE, { input: { url: URL } })).http).toMatchObject({
    ...{ statusCode: 400, message: ["there must be no more than 100 endpoints"] },
  });
  expect(await all()).toHaveLength(100);
  await app.sql("DELETE FROM webhook_endpoints");
});

graphqlClause("10.webhooks.secret", "a secret is shown once, and in no entry", async () => {
  const { secret, endpoint } = await create({ url: URL });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const known = [secret];
  const sealed = new Set<string>();
  for (const before of [null, expect.any(String)]) {
    const { left, result } = await leftBy(app, () => rotateSecret(app, endpoint));
    known.push(result);
    const rows = await app.sql<{ sealed: string }>(
      "SELECT unnest(ARRAY[secret, previous_secret]) AS sealed FROM webhook_endpoints",
    );
    for (const row of rows) sealed.add(row.sealed);
    expect(left).toMatchObject([
      {
        ...{ door: "GRAPHQL", operation: "rotateWebhookSecret" },
        ...{ subject: "WEBHOOK_ENDPOINT", subjectId: endpoint.id },
        changes: [{ field: "rotatedAt", before, after: expect.any(String) }],
      },
    ]);
  }
  expect(new Set(known).size).toBe(3);
  const { webhook_endpoints: rows = [], ...others } = await dumpOf(app);
  const keys = known.map((each) => each.slice("whsec_".length));
  for (const key of keys) expect(JSON.stringify([rows, others, app.log])).not.toContain(key);
  for (const each of sealed) expect(JSON.stringify(others)).not.toContain(each);
  expect(sealed.size).toBe(3);
});

graphqlClause("10.webhooks.rotation", "both secrets sign for 24 hours", async () => {
  const { url, requests } = await startReceiver();
  const { secret, endpoint } = await create({ url, types: ["category.created"] });
  const second = await rotateSecret(app, endpoint);
  /** Which of the secrets the next message is signed by. */
  const signedBy = async (...secrets: string[]): Promise<boolean[]> => {
    const before = requests.length;
    await app.make.category();
    await eventually(() => requests.length > before);
    const { body, headers } = requests.at(-1)!;
    return secrets.map((each) => {
      try {
        new Webhook(each).verify(body, headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    });
  };
  for (const [moved, isOldOne] of [
    ["0 s", true],
    ["23 hours 59 minutes", true],
    ["24 hours 1 minute", false],
  ] as const) {
    await app.sql(`UPDATE webhook_endpoints SET rotated_at = now() - interval '${moved}'`);
    expect([moved, await signedBy(secret, second)]).toEqual([moved, [isOldOne, true]]);
  }
  // Of two rotations at once, both answers are shown to somebody: the later one signs, and the other one beside it.
  const both = await Promise.all([1, 2].map(() => rotateSecret(app, endpoint)));
  expect(await signedBy(...both)).toEqual([true, true]);
});

graphqlClause("10.webhooks.message", "a message has what its event has", async () => {
  const endpoint = await createEndpoint(app);
  const { id } = await app.make.product({ name: "Sencha", price: "4.20" });
  await app.sql("UPDATE products SET price = 5 WHERE id = $1", [id]);
  await endpoint.until((messages) => messages.some(({ type }) => type === "product.updated"));
  const { events } = await dataOf<{
    events: { edges: { node: { id: string; type: string; at: string; data: object } }[] };
  }>(app, "{ events(first: 3) { edges { node { id type at data } } } }");
  const byId = new Map(endpoint.messages.map((message) => [message.id, message]));
  expect(events.edges).toHaveLength(3);
  for (const { node } of events.edges) {
    const { id, type, timestamp, data, signatures } = byId.get(node.id)!;
    expect({ id, type, at: timestamp, data }).toEqual(node);
    expect(signatures).toBe(1);
  }
  expect(endpoint.messages.map(brief)).toContain("product.updated 2");
});

graphqlClause("10.webhooks.types", "an endpoint gets the types that it wants", async () => {
  await app.make.category();
  const some = await createEndpoint(app, { types: ["category.created", "category.deleted"] });
  const every = await createEndpoint(app);
  const { id } = await app.make.category();
  await app.sql("UPDATE categories SET name = 'Oolong' WHERE id = $1", [id]);
  await app.sql("DELETE FROM categories WHERE id = $1", [id]);
  await some.until(({ length }) => length === 2);
  await every.until(({ length }) => length === 3);
  expect(some.messages.map(brief)).toEqual(["category.created 1", "category.deleted 3"]);
  const all = ["category.created 1", "category.updated 2", "category.deleted 3"];
  expect(every.messages.map(brief)).toEqual(all);
});

graphqlClause("10.webhooks.lookup", "the lookup goes to those that may have it", async () => {
  const [told, untold] = [
    await createEndpoint(app, { includeLookup: true }),
    await createEndpoint(app),
  ];
  const { id: productId } = await app.make.product();
  const order = `placeOrder(input: { customerEmail: "a@example.com", items: [{ productId: ${productId}, quantity: 1 }] })`;
  const { placed } = await dataOf<{ placed: { id: number; lookup: string } }>(
    app,
    `mutation { placed: ${order} { id lookup } }`,
  );
  await dataOf(app, `mutation { setOrderStatus(id: ${placed.id}, status: PAID) { id } }`);
  for (const endpoint of [told, untold]) {
    await endpoint.until((all) => all.some(({ type }) => type === "order.status_changed"));
    for (const { type, data } of endpoint.messages) {
      const isTold = endpoint === told && type === "order.placed";
      expect([type, data["lookup"]]).toEqual([type, isTold ? placed.lookup : undefined]);
    }
  }
  const { events } = await dataOf<{ events: unknown }>(
    app,
    "{ events(first: 5) { edges { node { data } } } }",
  );
  expect(JSON.stringify(events)).not.toContain("lookup");
});
