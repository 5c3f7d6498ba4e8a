import { dataOf, execute } from "../graphql/client";
import { eventsOf } from "../events/told";
import { dataOfCustomer, erase } from "../record/customers";
import { startReplica, type TestApp } from "../support/app";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { tablesWith } from "../support/dump";
import { eventually } from "../support/eventually";
import { sendJson } from "../support/raw-http";
import {
  createEndpoint,
  useDispatchingApp,
  type Message,
  type ToldEndpoint,
} from "../webhooks/told";

const app = useDispatchingApp({ newsletter: { confirmation: true }, http: { trustProxy: 1 } });

let endpoint: ToldEndpoint;
let email: string;
let serial = 0;
beforeEach(async () => {
  email = `reader-${(serial += 1)}@example.com`;
  endpoint = await createEndpoint(app);
});

const subscribe = (at: TestApp = app) =>
  dataOf(at, "mutation ($email: String!) { subscribeToNewsletter(email: $email) }", { email });

const unsubscribeByAddress = () =>
  dataOf(app, "mutation ($email: String!) { done: unsubscribeFromNewsletter(email: $email) }", {
    email,
  });

/** What a public mutation that takes a token answers. */
async function take(
  mutation: "confirmSubscription" | "unsubscribe",
  token: string,
  { at = app, from = "203.0.113.7" } = {},
): Promise<unknown> {
  const body = {
    query: `mutation ($token: String!) { done: ${mutation}(token: $token) }`,
    variables: { token },
  };
  const headers = { "x-forwarded-for": from };
  const answer = await sendJson(at.url, "POST", "/graphql", JSON.stringify(body), headers);
  return (answer.body as { data: { done: boolean } }).data.done;
}

/** All messages, once there are so many. */
async function told(count: number): Promise<readonly Message[]> {
  await endpoint.until(({ length }) => length >= count);
  return endpoint.messages;
}

const tokensOf = ({ data }: Message) =>
  data as { readonly confirmToken: string; readonly unsubscribeToken: string };

/** Subscribes, and returns the tokens that the address is sent. */
async function requested(): Promise<ReturnType<typeof tokensOf>> {
  const isRequest = ({ type }: Message): boolean => type === "subscription.requested";
  const { length } = endpoint.messages.filter(isRequest);
  await subscribe();
  await endpoint.until((messages) => messages.filter(isRequest).length > length);
  return tokensOf(endpoint.messages.findLast(isRequest)!);
}

async function confirmed(): Promise<ReturnType<typeof tokensOf>> {
  const tokens = await requested();
  expect(await take("confirmSubscription", tokens.confirmToken)).toBe(true);
  return tokens;
}

interface Subscription {
  readonly isActive: boolean;
  readonly version: number;
  readonly consentedAt: string | null;
  readonly consentAddress: string | null;
}

async function shown(): Promise<Subscription> {
  const { customerData } = await dataOf<{ customerData: { subscription: Subscription } }>(
    app,
    `query ($email: String!) {
      customerData(email: $email) { subscription { isActive version consentedAt consentAddress } }
    }`,
    { email },
  );
  return customerData.subscription;
}

/** Lets the last request be of an earlier time, which is no event. */
const age = (minutes: number) =>
  app.sql(`ALTER TABLE newsletter_subscribers DISABLE TRIGGER USER;
    UPDATE newsletter_subscribers SET requested_at = requested_at - interval '${minutes} minutes';
    ALTER TABLE newsletter_subscribers ENABLE TRIGGER USER`);

/** Sends the last message again, as if its event were so old. */
async function sentAgain(days: number): Promise<ReturnType<typeof tokensOf>> {
  const waiting = "SELECT FROM webhook_deliveries WHERE ended_at IS NULL";
  await eventually(async () => (await app.sql(waiting)).length === 0);
  const [{ id }] = (await app.sql<{ id: number }>(
    `UPDATE events SET at = now() - $1 * interval '1 day' + interval '1 minute' WHERE id = (SELECT max(id) FROM events)
     RETURNING (SELECT id FROM webhook_deliveries WHERE event_id = events.id)`,
    [days],
  )) as [{ id: number }];
  const { length } = endpoint.messages;
  await dataOf(app, `mutation { resendDelivery(id: "${id}") { id } }`);
  await endpoint.until((messages) => messages.length > length);
  return tokensOf(endpoint.messages.at(-1)!);
}

const NOTHING = { consentedAt: null, consentAddress: null };

graphqlClause("10.newsletter.confirm", "a subscription waits until it is confirmed", async () => {
  const { confirmToken } = await requested();
  expect(await shown()).toEqual({ isActive: false, version: 1, ...NOTHING });
  expect(await take("confirmSubscription", confirmToken)).toBe(true);
  const subscription = await shown();
  expect(subscription).toEqual({
    ...{ isActive: true, version: 2, consentAddress: "203.0.113.7" },
    consentedAt: expect.any(String),
  });
  const [, { data }] = (await told(2)) as [Message, Message];
  expect(data).toMatchObject({
    ...subscription,
    changed: ["consentAddress", "consentedAt", "isActive"],
  });
  expect(data).not.toHaveProperty("confirmToken");
});

const useless: Record<string, () => Promise<string>> = {
  "one that was used": async () => (await confirmed()).confirmToken,
  "one that has expired": async () => {
    await requested();
    return (await sentAgain(7.01)).confirmToken;
  },
  "one from before an unsubscription": async () => {
    const { confirmToken, unsubscribeToken } = await requested();
    await take("unsubscribe", unsubscribeToken);
    await subscribe();
    return confirmToken;
  },
  "one from before a subscription that has ended": async () => {
    const { confirmToken, unsubscribeToken } = await confirmed();
    await take("unsubscribe", unsubscribeToken);
    await subscribe();
    return confirmToken;
  },
  "one to an address that SQL has replaced": async () => {
    const { confirmToken } = await requested();
    await app.sql("UPDATE newsletter_subscribers SET email = 'x' || email WHERE email = $1", [
      email,
    ]);
    return confirmToken;
  },
  "the one that ends it": async () => (await requested()).unsubscribeToken,
  "one with another id": async () => (await requested()).confirmToken.replace(/^[0-9]+/, "1"),
  "one with a later time": async () =>
    (await requested()).confirmToken.replace(/\.([0-9]+)\.(?=[^.]+$)/, (_, at) => `.${+at + 1}.`),
  "any other text": () => Promise.resolve("1.1.1.A"),
};

graphqlClauseEach(
  "10.newsletter.confirm.false",
  "a token that confirms nothing is false, and changes nothing",
  useless,
  async (token) => {
    const text = await token();
    const before = await app.sql("SELECT * FROM newsletter_subscribers ORDER BY id");
    expect(await take("confirmSubscription", text)).toBe(false);
    expect(await app.sql("SELECT * FROM newsletter_subscribers ORDER BY id")).toEqual(before);
  },
);

graphqlClause("10.newsletter.confirm", "a token is good for seven days, and once", async () => {
  await requested();
  const { confirmToken } = await sentAgain(7);
  const answers = await Promise.all([1, 2, 3].map(() => take("confirmSubscription", confirmToken)));
  expect(answers.sort()).toEqual([false, false, true]);
});

graphqlClause(
  "10.newsletter.requests",
  "while it waits, another request is told after 15 minutes; both tokens are good",
  async () => {
    const { confirmToken } = await requested();
    await age(14);
    await subscribe();
    expect((await shown()).version).toBe(1);
    await age(2);
    await Promise.all([subscribe(), subscribe()]);
    expect((await told(2)).map(({ type, data }) => [type, data["version"]])).toEqual([
      ["subscription.requested", 1],
      ["subscription.requested", 2],
    ]);
    const later = tokensOf(endpoint.messages[1]!).confirmToken;
    expect(await take("confirmSubscription", confirmToken)).toBe(true);
    expect(await take("confirmSubscription", later)).toBe(false);
    await subscribe();
    expect(await shown()).toMatchObject({ isActive: true, version: 3 });
  },
);

graphqlClause(
  "10.newsletter.token",
  "each event has a token that ends the subscription whenever it goes on",
  async () => {
    const { confirmToken, unsubscribeToken } = await requested();
    expect(await take("unsubscribe", unsubscribeToken)).toBe(true);
    expect(await take("unsubscribe", unsubscribeToken)).toBe(false);
    expect(await take("unsubscribe", confirmToken)).toBe(false);
    await confirmed();
    expect(await take("unsubscribe", unsubscribeToken)).toBe(true);
    expect(await shown()).toMatchObject({ isActive: false, consentAddress: "203.0.113.7" });
    expect((await told(5)).map(({ type, data }) => [type, data["unsubscribeToken"]])).toEqual(
      ["requested", "ended", "requested", "confirmed", "ended"].map((type) => [
        `subscription.${type}`,
        unsubscribeToken,
      ]),
    );
    expect((await eventsOf(app)).slice(-5).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  },
);

graphqlClause("10.newsletter.unsubscribe", "it ends the wait for a confirmation", async () => {
  const { confirmToken } = await requested();
  expect(await unsubscribeByAddress()).toEqual({ done: true });
  expect(await unsubscribeByAddress()).toEqual({ done: false });
  expect(await take("confirmSubscription", confirmToken)).toBe(false);
  expect((await told(2)).at(-1)?.data).toMatchObject({ version: 2, changed: [] });
});

graphqlClause(
  "10.newsletter.token.secret",
  "tokens are good under a previous secret, stored nowhere, and shown to no administrator",
  async () => {
    const { confirmToken, unsubscribeToken } = await requested();
    for (const token of [confirmToken, unsubscribeToken]) {
      expect(await tablesWith(app, token.split(".").at(-1)!)).toEqual([]);
    }
    expect((await eventsOf(app)).at(-1)?.data).toMatchObject({
      confirmToken: "***",
      unsubscribeToken: "***",
    });
    const secret = "another secret of 32 characters or more";
    const previousSecrets = [app.settings.data.secret];
    const unknowing = await startReplica(app, { data: { secret } });
    const rotated = await startReplica(app, { data: { secret, previousSecrets } });
    try {
      for (const [at, isGood] of [[unknowing, false] as const, [rotated, true] as const]) {
        expect(await take("confirmSubscription", confirmToken, { at })).toBe(isGood);
        expect(await take("unsubscribe", unsubscribeToken, { at })).toBe(isGood);
      }
    } finally {
      await unknowing.close();
      await rotated.close();
    }
  },
);

graphqlClause(
  "10.events.erased",
  "an erasure takes time and address of a consent away",
  async () => {
    const { confirmToken, unsubscribeToken } = await requested();
    await take("confirmSubscription", confirmToken, { from: "198.51.100.77" });
    expect(await tablesWith(app, "198.51.100.77")).toEqual(["events", "newsletter_subscribers"]);
    await erase(app, email);
    expect(await tablesWith(app, "198.51.100.77")).toEqual([]);
    const [row] = await app.sql("SELECT * FROM newsletter_subscribers ORDER BY id DESC LIMIT 1");
    expect(row).toMatchObject({ consented_at: null, requested_at: null, is_active: false });
    expect(await take("unsubscribe", unsubscribeToken)).toBe(false);
    expect((await dataOfCustomer(app, email)).subscription).toBeNull();
  },
);

graphqlClause(
  "10.newsletter.confirm.off",
  "without the setting a subscription is active at once, and no consent is kept",
  async () => {
    const open = await startReplica(app, { newsletter: { confirmation: false } });
    try {
      await confirmed();
      await subscribe(open);
      expect(await shown()).toMatchObject({ version: 2, consentAddress: "203.0.113.7" });
      await unsubscribeByAddress();
      await subscribe(open);
      expect(await shown()).toEqual({ isActive: true, version: 4, ...NOTHING });
      email = `new-${email}`;
      await execute(open, {
        query: `mutation { subscribeToNewsletter(email: "${email}") }`,
      });
      expect(await shown()).toEqual({ isActive: true, version: 1, ...NOTHING });
      const isNew = ({ data }: Message): boolean => data["email"] === email;
      await endpoint.until((messages) => messages.some(isNew));
      const { data } = endpoint.messages.find(isNew)!;
      expect(data).not.toHaveProperty("confirmToken");
      expect(await take("unsubscribe", String(data["unsubscribeToken"]))).toBe(true);
    } finally {
      await open.close();
    }
  },
);
