import type { ServerResponse } from "node:http";
import { connect } from "../../src/database/connection/pool";
import { deleteOldDeliveries } from "../../src/services/record/retention";
import { dataOf, refusalOf } from "../graphql/client";
import { erase } from "../record/customers";
import { graphqlClause } from "../support/clause";
import { eventually } from "../support/eventually";
import {
  brief,
  createEndpoint,
  deliveriesOf,
  DELIVERY,
  refuse,
  setEndpoint,
  tried,
  useDispatchingApp,
  type Delivery,
  type ToldEndpoint,
} from "./told";

jest.setTimeout(60_000);

const app = useDispatchingApp();

const changePrices = async (id: number, ...prices: string[]): Promise<void> => {
  for (const price of prices) {
    await app.sql("UPDATE products SET price = $2 WHERE id = $1", [id, price]);
  }
};

/** The deliveries of an endpoint when none of them waits. */
const ended = ({ id }: ToldEndpoint): Promise<Delivery[]> =>
  eventually(async () => {
    const all = await deliveriesOf(app, id);
    return all.every(({ state }) => state !== "WAITING") && all;
  });

const resend = async (id: string): Promise<Delivery> =>
  (
    await dataOf<{ again: Delivery }>(
      app,
      `mutation { again: resendDelivery(id: "${id}") { ${DELIVERY} } }`,
    )
  ).again;

const PERIOD = `mutation ($id: Int!, $from: DateTime!, $before: DateTime!, $types: [String!]) {
  sent: resendEvents(endpointId: $id, from: $from, before: $before, types: $types)
}`;

const resendPeriod = async (
  { id }: ToldEndpoint,
  [from, before]: readonly [string, string],
  types?: readonly string[],
) => (await dataOf<{ sent: number }>(app, PERIOD, { id, from, before, types })).sent;

/** A time that all events so far are before, and none that comes later. */
const now = async (): Promise<string> => {
  const clock = async () => {
    const [row] = await app.sql<{ at: Date }>("SELECT clock_timestamp()::timestamptz(3) AS at");
    return row!.at.getTime();
  };
  const next = (await clock()) + 1;
  await eventually(async () => (await clock()) > next);
  return new Date(next).toISOString();
};

graphqlClause("10.webhooks.deliveries", "deliveries are listed newest first", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created", "category.updated"] });
  endpoint.answer = (response, { type }) =>
    type === "category.created" ? response.writeHead(200).end("thank you") : refuse(response);
  const ids = [];
  for (let count = 0; count < 3; count += 1) ids.push((await app.make.category()).id);
  await app.sql("UPDATE categories SET name = 'Oolong' WHERE id = $1", [ids[0]]);
  await endpoint.until(({ length }) => length === 4);
  const failed = await tried(app, endpoint, 1);
  expect(failed).toMatchObject({
    state: "WAITING",
    event: { type: "category.updated", version: 2, subjectId: ids[0] },
    tries: [{ at: expect.stringMatching(/Z$/), status: 500, fault: null, answer: "no" }],
  });
  const delivered = await deliveriesOf(app, endpoint.id, "DELIVERED");
  expect(delivered.map(({ event }) => event.subjectId)).toEqual(ids);
  expect(delivered[0]).toMatchObject({
    ...{ attempts: 1, nextAttemptAt: null },
    tries: [{ status: 200, fault: null, answer: "thank you" }],
  });
  expect(await deliveriesOf(app, endpoint.id, "GIVEN_UP")).toEqual([]);
  // In parts of two.
  type Part = {
    webhookEndpoint: {
      deliveries: {
        edges: { node: { id: string } }[];
        pageInfo: { endCursor: string; hasNextPage: boolean };
        totalCount: number;
      };
    };
  };
  const document = `query ($after: String) { webhookEndpoint(id: ${endpoint.id}) {
      deliveries(first: 2, after: $after) { edges { node { id } } pageInfo { endCursor hasNextPage } totalCount }
    } }`;
  const first = (await dataOf<Part>(app, document)).webhookEndpoint.deliveries;
  const after = first.pageInfo.endCursor;
  const second = (await dataOf<Part>(app, document, { after })).webhookEndpoint.deliveries;
  expect([first.totalCount, first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([
    4,
    true,
    false,
  ]);
  const shown = [...first.edges, ...second.edges].map(({ node }) => node.id);
  expect(shown).toEqual([failed.id, ...delivered.map(({ id }) => id).reverse()]);
  const other = await createEndpoint(app);
  expect(await deliveriesOf(app, other.id)).toEqual([]);
});

graphqlClause("10.webhooks.resend", "what has ended is sent again under its id", async () => {
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  const { id } = await app.make.product();
  await changePrices(id, "2.00", "3.00");
  const [first] = await ended(endpoint);
  // The next version is held up, which the resent one is not by it.
  endpoint.answer = (response, { data }) =>
    data["version"] === 4 ? refuse(response) : response.writeHead(204).end();
  await changePrices(id, "4.00");
  await endpoint.until(({ length }) => length === 3);
  expect(await resend(first!.id)).toMatchObject({ state: "WAITING", attempts: 1 });
  await endpoint.until(({ length }) => length === 4);
  expect(endpoint.messages.map(brief).at(-1)).toBe("product.updated 2");
  expect(endpoint.messages[3]!.id).toBe(endpoint.messages[0]!.id);
  const [again] = await eventually(async () => {
    const delivered = await deliveriesOf(app, endpoint.id, "DELIVERED");
    return delivered.length === 2 && delivered;
  });
  expect(again).toMatchObject({ id: first!.id, attempts: 2, tries: [{}, { status: 204 }] });
});

graphqlClause("10.webhooks.resend", "what was given up has ten further tries", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  endpoint.answer = refuse;
  await app.make.category();
  const delivery = await tried(app, endpoint, 1);
  await app.sql(
    "UPDATE webhook_deliveries SET attempts = 10, state = 'GIVEN_UP', next_attempt_at = NULL, ended_at = now()",
  );
  await resend(delivery.id);
  const waiting = await tried(app, endpoint, 2);
  expect(waiting).toMatchObject({ state: "WAITING", attempts: 11 });
  const pause = Date.parse(waiting.nextAttemptAt!) - Date.parse(waiting.tries.at(-1)!.at);
  expect(pause).toBeLessThan(60_000);
});

graphqlClause("10.webhooks.resend", "what waits is tried now, and stays in the order", async () => {
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  endpoint.answer = refuse;
  const { id } = await app.make.product();
  await changePrices(id, "2.00");
  const first = await tried(app, endpoint, 1);
  await changePrices(id, "3.00");
  endpoint.answer = (response) => response.writeHead(204).end();
  await resend(first.id);
  await endpoint.until(({ length }) => length === 3);
  expect(endpoint.messages.map(brief)).toEqual([
    "product.updated 2",
    "product.updated 2",
    "product.updated 3",
  ]);
});

graphqlClause("10.webhooks.resend", "all events of a time are sent again", async () => {
  const { id } = await app.make.product();
  const from = await now();
  await changePrices(id, "2.00", "3.00");
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  await changePrices(id, "4.00");
  await app.make.category();
  const before = await now();
  await changePrices(id, "5.00");
  await ended(endpoint);
  await endpoint.until(({ length }) => length === 2);
  expect(await resendPeriod(endpoint, [from, before])).toBe(3);
  await endpoint.until(({ length }) => length === 5);
  const versions = endpoint.messages.slice(2).map(({ data }) => Number(data["version"]));
  expect(versions.toSorted()).toEqual([2, 3, 4]);
  expect(new Set(endpoint.messages.map(({ id }) => id)).size).toBe(4);
  await ended(endpoint);
  // Of other types than the endpoint's, if they are named.
  expect(await resendPeriod(endpoint, [from, before], ["category.created"])).toBe(1);
  await endpoint.until(({ length }) => length === 6);
  expect(endpoint.messages.at(-1)!.type).toBe("category.created");
  expect(await resendPeriod(endpoint, [from, before], [])).toBe(3);
  expect(await resendPeriod(endpoint, [before, from])).toBe(0);
});

graphqlClause("10.webhooks.resend", "an older version waits for no later one", async () => {
  const { id } = await app.make.product();
  const from = await now();
  await changePrices(id, "2.00");
  const before = await now();
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  endpoint.answer = (response, { data }) =>
    data["version"] === 3 ? refuse(response) : response.writeHead(204).end();
  await changePrices(id, "3.00");
  await endpoint.until(({ length }) => length === 1);
  expect(await resendPeriod(endpoint, [from, before])).toBe(1);
  await endpoint.until((messages) => messages.some(({ data }) => data["version"] === 2));
  await eventually(async () => {
    const [delivered] = await deliveriesOf(app, endpoint.id, "DELIVERED");
    return delivered?.event.version === 2;
  });
  expect(await deliveriesOf(app, endpoint.id, "WAITING")).toMatchObject([{ attempts: 1 }]);
});

graphqlClause("10.webhooks.resend", "what waits is kept, however old it is", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  await app.make.category();
  const [delivery] = await ended(endpoint);
  await setEndpoint(app, endpoint, "isActive: false");
  await app.sql("UPDATE webhook_deliveries SET ended_at = now() - interval '8 days'");
  await resend(delivery!.id);
  const pool = connect({ ...app.settings.database, poolSize: 1 });
  expect(await deleteOldDeliveries(pool)).toBe(0);
  await pool.close();
  expect(await deliveriesOf(app, endpoint.id, "WAITING")).toMatchObject([{ id: delivery!.id }]);
});

graphqlClause("10.webhooks.resend", "what is unknown, or too much, is refused", async () => {
  const endpoint = await createEndpoint(app, { types: ["customer.erased"] });
  for (const id of ["0", "1e1", "-1", " 1", "99999999999", "2147483647", "x", "evt_1_1"]) {
    const refusal = await refusalOf(app, `mutation { resendDelivery(id: "${id}") { id } }`);
    expect([id, refusal.code, refusal.http.message]).toEqual([
      id,
      "NOT_FOUND",
      "Delivery not found",
    ]);
  }
  const times = { from: "2026-01-01T00:00:00Z", before: "2026-01-02T00:00:00Z" };
  const ofNobody = await refusalOf(app, PERIOD, { id: 2_147_483_647, ...times });
  expect(ofNobody.code).toBe("NOT_FOUND");
  const types = ["order.eaten"];
  const wrong = await refusalOf(app, PERIOD, { id: endpoint.id, ...times, types });
  expect(wrong.reasons).toMatchObject([{ code: "INVALID", path: "types" }]);
  await app.sql(`INSERT INTO events (type, version, data, at)
      SELECT 'customer.erased', 1, '{"version": 1}', '2026-01-01' FROM generate_series(1, 10001)`);
  await app.sql("DELETE FROM webhook_deliveries");
  const tooMany = await refusalOf(app, PERIOD, { id: endpoint.id, ...times });
  expect(tooMany).toMatchObject({ reasons: [{ code: "OUT_OF_RANGE", max: 10_000 }] });
  expect(await app.sql("SELECT FROM webhook_deliveries")).toEqual([]);
  await app.sql("DELETE FROM events WHERE id IN (SELECT max(id) FROM events)");
  await setEndpoint(app, endpoint, "isActive: false");
  const range = [times.from, times.before] as const;
  expect(await resendPeriod(endpoint, range)).toBe(10_000);
  // What waits is not sent again.
  expect(await resendPeriod(endpoint, range)).toBe(0);
  await app.sql("DELETE FROM events WHERE at = '2026-01-01'");
});

graphqlClause("10.webhooks.test", "a test event goes to one endpoint alone", async () => {
  const endpoint = await createEndpoint(app, { types: ["order.placed"] });
  const other = await createEndpoint(app);
  const { sent } = await dataOf<{ sent: Delivery }>(
    app,
    `mutation { sent: sendTestEvent(endpointId: ${endpoint.id}) { ${DELIVERY} } }`,
  );
  expect(sent).toMatchObject({
    ...{ state: "WAITING", attempts: 0, tries: [] },
    event: { type: "test.ping", version: 0, subjectId: null },
  });
  await endpoint.until(({ length }) => length === 1);
  expect(endpoint.messages).toMatchObject([
    { id: sent.event.id, type: "test.ping", data: { version: 0 } },
  ]);
  expect(await deliveriesOf(app, other.id)).toEqual([]);
  const unknown = await refusalOf(app, "mutation { sendTestEvent(endpointId: 0) { id } }");
  expect(unknown.code).toBe("NOT_FOUND");
});

graphqlClause("10.webhooks.deleted", "with an endpoint go its deliveries", async () => {
  const endpoint = await createEndpoint(app);
  const other = await createEndpoint(app);
  await setEndpoint(app, endpoint, "isActive: false");
  await app.make.category();
  await ended(other);
  const deliver = (count: number) =>
    app.sql(
      `INSERT INTO webhook_deliveries (endpoint_id, event_id)
         SELECT $1, max(id) FROM events, generate_series(1, $2) GROUP BY generate_series`,
      [endpoint.id, count],
    );
  // The planner last saw a table of many pages and hardly a row.
  await deliver(20_000);
  await app.sql("DELETE FROM webhook_deliveries WHERE endpoint_id = $1", [endpoint.id]);
  await app.sql("VACUUM (ANALYZE, TRUNCATE off) webhook_deliveries");
  await deliver(20_000);
  await dataOf(app, `mutation { deleteWebhookEndpoint(id: ${endpoint.id}) { id } }`);
  const left = await app.sql("SELECT DISTINCT endpoint_id FROM webhook_deliveries");
  expect(left).toEqual([{ endpoint_id: other.id }]);
});

graphqlClause("10.webhooks.erased", "an erasure forgets what receivers answered", async () => {
  const email = "grace@example.com";
  const endpoint = await createEndpoint(app, {
    types: ["order.placed", "subscription.requested"],
  });
  endpoint.answer = (response, { data }) =>
    response.end(`I have written to ${String(data["email"])}`);
  await app.make.subscriber({ email });
  const [told] = await ended(endpoint);
  expect(told!.tries[0]!.answer).toBe(`I have written to ${email}`);
  const answering: ServerResponse[] = [];
  endpoint.answer = (response) => answering.push(response);
  await app.make.order({ customer_email: email });
  await endpoint.until(({ length }) => length === 2);
  expect(endpoint.messages[1]!.data["customerEmail"]).toBe(email);
  const { tombstone } = await erase(app, email);
  answering[0]!.end(`I have written to ${email}`);
  await eventually(() => answering[0]!.closed);
  endpoint.answer = (response) => response.end("thank you");
  await app.sql("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE state = 'WAITING'");
  await endpoint.until(({ length }) => length === 3);
  expect(endpoint.messages[2]).toMatchObject({
    ...{ id: endpoint.messages[1]!.id, type: "order.placed" },
    data: { customerEmail: tombstone },
  });
  const answers = (await ended(endpoint)).map(({ tries }) => tries.map(({ answer }) => answer));
  expect(answers).toEqual([[""], ["thank you"]]);
});
