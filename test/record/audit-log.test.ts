import { routes, type RestOperation } from "../../src/rest/routes";
import { everyone, operations, type Operation } from "../../src/services/operations";
import { change as changePassword, NEXT } from "../security/own-account";
import { useApp } from "../support/app";
import { clauseEach, graphqlClause } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { schema } from "../support/schema";
import { tokenFor } from "../support/tokens";
import { doorsOf } from "./doors";
import { change, leftBy, rowOf, shownChanges } from "./entries";

jest.setTimeout(60_000);

/** New hashes have another cost than those of the factories. */
const app = useApp({ passwords: { cost: 5 } });

/** A mutation that leaves an entry. */
interface Recorded {
  readonly subject: string;
  readonly table: string;
  /** The id of what is changed, which is made for it; left out where the mutation creates it. */
  readonly of?: (by: Administrator) => Promise<number> | number;
  /** REST's body. */
  readonly body?: () => Promise<object> | object;
  /** The field of the mutation. */
  readonly field: (id: number, body: object) => string;
}

interface Administrator {
  readonly id: number;
  readonly email: string;
  readonly authorization: string;
}

async function administrator(): Promise<Administrator> {
  const admin = await app.make.admin();
  const authorization = `Bearer ${tokenFor(admin, app.settings.tokens.secret)}`;
  return { ...admin, authorization };
}

const input = (body: object): string =>
  `{ ${Object.entries(body)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;

/** Every mutation that leaves an entry. */
const recorded: Record<string, Recorded> = {
  createCategory: {
    ...{ subject: "CATEGORY", table: "categories" },
    body: () => ({ name: "Oolong", isActive: false }),
    field: (_, body) => `createCategory(input: ${input(body)}) { id }`,
  },
  updateCategory: {
    ...{ subject: "CATEGORY", table: "categories" },
    of: async () => (await app.make.category()).id,
    body: () => ({ name: 'A "new"\nname \\ 茶', isActive: false }),
    field: (id, body) => `updateCategory(id: ${id}, input: ${input(body)}) { id }`,
  },
  deleteCategory: {
    ...{ subject: "CATEGORY", table: "categories" },
    of: async () => (await app.make.category()).id,
    field: (id) => `deleteCategory(id: ${id}) { id }`,
  },
  createProduct: {
    ...{ subject: "PRODUCT", table: "products" },
    body: async () => ({
      ...{ name: "Sencha", price: "12.5", description: "Steamed." },
      categoryId: (await app.make.category()).id,
    }),
    field: (_, body) => `createProduct(input: ${input(body)}) { id }`,
  },
  updateProduct: {
    ...{ subject: "PRODUCT", table: "products" },
    of: async () => (await app.make.product()).id,
    body: async () => ({
      ...{ name: "Gyokuro", slug: `gyokuro-${requests}`, price: "99", description: "Shaded." },
      ...{ isActive: false, categoryId: (await app.make.category()).id },
    }),
    field: (id, body) => `updateProduct(id: ${id}, input: ${input(body)}) { id }`,
  },
  setProductStatus: {
    ...{ subject: "PRODUCT", table: "products" },
    of: async () => (await app.make.product()).id,
    body: () => ({ isActive: false }),
    field: (id) => `setProductStatus(id: ${id}, isActive: false) { id }`,
  },
  deleteProduct: {
    ...{ subject: "PRODUCT", table: "products" },
    of: async () => (await app.make.product()).id,
    field: (id) => `deleteProduct(id: ${id}) { id }`,
  },
  setOrderStatus: {
    ...{ subject: "ORDER", table: "orders" },
    of: async () => (await app.make.order()).id,
    field: (id) => `setOrderStatus(id: ${id}, status: PAID) { id }`,
  },
  unsubscribeFromNewsletter: {
    ...{ subject: "NEWSLETTER_SUBSCRIBER", table: "newsletter_subscribers" },
    of: async () => (await app.make.subscriber({ email: "Reader@example.com" })).id,
    field: () => 'unsubscribeFromNewsletter(email: "reader@EXAMPLE.com")',
  },
  createWebhookEndpoint: {
    ...{ subject: "WEBHOOK_ENDPOINT", table: "webhook_endpoints" },
    body: () => ({ url: "https://example.com/", types: ["order.placed"], includeLookup: true }),
    field: (_, body) => `createWebhookEndpoint(input: ${input(body)}) { endpoint { id } }`,
  },
  updateWebhookEndpoint: {
    ...{ subject: "WEBHOOK_ENDPOINT", table: "webhook_endpoints" },
    of: async () => (await app.make.webhookEndpoint()).id,
    body: () => ({ url: "https://example.com/", description: "Mailer", isActive: false }),
    field: (id, body) => `updateWebhookEndpoint(id: ${id}, input: ${input(body)}) { id }`,
  },
  deleteWebhookEndpoint: {
    ...{ subject: "WEBHOOK_ENDPOINT", table: "webhook_endpoints" },
    of: async () => (await app.make.webhookEndpoint()).id,
    field: (id) => `deleteWebhookEndpoint(id: ${id}) { id }`,
  },
  rotateWebhookSecret: {
    ...{ subject: "WEBHOOK_ENDPOINT", table: "webhook_endpoints" },
    of: async () => (await app.make.webhookEndpoint()).id,
    field: (id) => `rotateWebhookSecret(id: ${id})`,
  },
  changePassword: {
    ...{ subject: "ADMINISTRATOR", table: "admins" },
    of: ({ id }) => id,
    field: () =>
      `changePassword(currentPassword: "${PASSWORD}", newPassword: "${NEXT}") { accessToken }`,
  },
};

/** Mutations whose entry is about no row, with the field of each and the entry's changes. */
const withoutRow: Record<string, { subject: string; field: string; changes: unknown }> = {
  eraseCustomer: {
    subject: "CUSTOMER",
    field: 'eraseCustomer(email: "nobody@example.com") { tombstone }',
    changes: [
      change("email", null, expect.stringMatching(/^erased-.*@erased\.invalid$/) as string),
    ],
  },
};

/** Their entries are shown with them, in withdrawn-prices, factors-recorded, invitations and sessions. */
const shownElsewhere: readonly Operation[] = [
  ...(["withdrawPrice", "confirmOneTimeCodes", "endOneTimeCodes"] as const),
  ...(["confirmPasskey", "endPasskey", "endSession", "endOtherSessions"] as const),
  ...(["createProgramToken", "endProgramToken", "acceptInvitation"] as const),
];

/** Every mutation that leaves none. */
const unrecorded: readonly Operation[] = [
  ...(["login", "renewToken", "logOut", "confirmIdentity"] as const),
  ...(["startPasskeyLogin", "loginWithPasskey"] as const),
  ...(["startOneTimeCodes", "startPasskey", "startPasskeyConfirmation"] as const),
  ...(["placeOrder", "subscribeToNewsletter", "confirmSubscription", "unsubscribe"] as const),
  // What is sent again is as it was.
  ...(["sendTestEvent", "resendDelivery", "resendEvents"] as const),
];

test("each mutation of both doors leaves an entry, or is listed here as one that does not", () => {
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const leaving = [...Object.keys(recorded), ...Object.keys(withoutRow), ...shownElsewhere];
  expect([...leaving, ...unrecorded].sort()).toEqual(mutations.sort());
  const changing = Object.entries(operations).filter(
    ([, { access, changes }]) =>
      changes === "administrator" || (changes && changes !== "delivery" && access !== everyone),
  );
  expect(leaving.sort()).toEqual(changing.map(([name]) => name).sort());
  const rest = Object.entries(routes).filter(([, route]) => !route.startsWith("GET "));
  for (const [name] of rest) expect(mutations).toContain(name);
});

const doors = doorsOf(app);

const isRest = (name: string): name is RestOperation => name in routes;

const walk = Object.fromEntries(
  Object.keys(recorded).flatMap((name) =>
    (isRest(name) ? (["REST", "GRAPHQL"] as const) : (["GRAPHQL"] as const)).map(
      (door) => [`${name}, ${door}`, { name, door }] as const,
    ),
  ),
);

let requests = 0;

clauseEach(
  "10.audit",
  "each change leaves one entry: who, at which door, from where, and what was before and after",
  { doors: ["REST", "GraphQL"] },
  walk,
  async ({ name, door }) => {
    const { subject, table, of, body, field } = recorded[name]!;
    const by = await administrator();
    const given = await body?.();
    const id = (await of?.(by)) ?? 0;
    const before = await rowOf(app, table, id);
    requests += 1;
    const requestId = `request-${requests}`;
    const headers = { authorization: by.authorization, "x-request-id": requestId };
    const [began] = (await app.sql(
      `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at`,
    )) as [{ at: string }];
    const { left } = await leftBy(app, async () => {
      if (door === "REST" && isRest(name)) {
        expect((await doors.REST(name, { id, body: given, headers })).status).toBeLessThan(300);
      } else {
        expect((await doors.GRAPHQL(field(id, given ?? {}), headers)).errors).toBeUndefined();
      }
    });
    const subjectId = of ? id : left[0]?.subjectId;
    const after = await rowOf(app, table, subjectId ?? 0);
    expect(after ?? before).toBeDefined();
    expect(left).toEqual([
      {
        ...{ id: expect.any(String), at: expect.any(String), source: null },
        ...{ actor: by.email, door, operation: name, subject, subjectId },
        ...{ address: "127.0.0.1", requestId },
        changes: shownChanges(before, after),
      },
    ]);
    expect(left[0]!.at >= began.at).toBe(true);
  },
);

test.each(Object.entries(withoutRow))("%s leaves one entry, too", async (name, each) => {
  const by = await administrator();
  const headers = { authorization: by.authorization, "x-request-id": name };
  const { left } = await leftBy(app, async () => {
    expect((await doors.GRAPHQL(each.field, headers)).errors).toBeUndefined();
  });
  const { subject, changes } = each;
  expect(left).toEqual([
    {
      ...{ id: expect.any(String), at: expect.any(String), source: null },
      ...{ actor: by.email, door: "GRAPHQL", operation: name, subject, subjectId: null, changes },
      ...{ address: "127.0.0.1", requestId: name },
    },
  ]);
});

graphqlClause("10.audit", "each change of a request has an entry of its own", async () => {
  const { id } = await app.make.product({ name: "Sencha" });
  const { left } = await leftBy(app, () =>
    doors.GRAPHQL(
      `first: updateProduct(id: ${id}, input: { name: "Bancha" }) { id }
         second: setProductStatus(id: ${id}, isActive: false) { id }
         third: updateProduct(id: ${id}, input: { name: "Hojicha" }) { id }
         fourth: deleteProduct(id: ${id}) { id }
         unknown: deleteProduct(id: ${id}) { id }`,
      { authorization: app.asAdmin },
    ),
  );
  expect(left.map(({ operation, changes }) => [operation, changes[0]])).toEqual([
    ["updateProduct", change("name", "Sencha", "Bancha")],
    ["setProductStatus", change("isActive", "true", "false")],
    ["updateProduct", change("name", "Bancha", "Hojicha")],
    ["deleteProduct", change("name", "Hojicha", null)],
  ]);
});

test("of two who wait for one another, each is the actor of the own change", async () => {
  const both = [await administrator(), await administrator()];
  const { left } = await leftBy(app, () =>
    Promise.all(
      both.map(({ authorization }) =>
        changePassword(app, { token: authorization.replace("Bearer ", "") }),
      ),
    ),
  );
  const named = left.map(({ actor, subjectId }) => [actor, subjectId]);
  expect(named.sort()).toEqual(both.map(({ email, id }) => [email, id]).sort());
});

graphqlClause("10.audit.secrets", "no entry has a password, a hash or a token", async () => {
  const by = await administrator();
  const token = by.authorization.replace("Bearer ", "");
  const { left, result } = await leftBy(app, () => changePassword(app, { token }));
  expect(left.map(({ changes }) => changes)).toEqual([[change("password", null, null)]]);
  const hashes = await app.sql<{ hash: string }>("SELECT password_hash AS hash FROM admins");
  const [{ text }] = (await app.sql<{ text: string }>(
    "SELECT string_agg(a::text, ' ') AS text FROM audit_entries AS a",
  )) as [{ text: string }];
  expect(text).toContain(by.email);
  const secrets = [PASSWORD, NEXT, token, result.token!, ...hashes.map(({ hash }) => hash)];
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/\$2[aby]\$/);
});
