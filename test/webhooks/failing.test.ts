import type { ServerResponse } from "node:http";
import { dataOf } from "../graphql/client";
import { graphqlClause, graphqlClauseEach } from "../support/clause";
import { eventually } from "../support/eventually";
import { entries } from "../record/entries";
import {
  createEndpoint,
  deliveriesOf,
  hurry,
  setEndpoint,
  tried,
  useDispatchingApp,
  type Delivery,
  type ToldEndpoint,
} from "./told";

jest.setTimeout(60_000);

const app = useDispatchingApp({ metrics: { port: 0 } });

interface State {
  readonly isActive: boolean;
  readonly disabledBecause: string | null;
  readonly failingSince: string | null;
  readonly version: number;
}

const stateOf = async ({ id }: ToldEndpoint): Promise<State> => {
  const fields = "isActive disabledBecause failingSince version";
  const { webhookEndpoint } = await dataOf<{ webhookEndpoint: State }>(
    app,
    `{ webhookEndpoint(id: ${id}) { ${fields} } }`,
  );
  return webhookEndpoint;
};

const answerWith =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end("no");

/** Seconds from a try to the next one. */
const pauseOf = ({ tries, nextAttemptAt }: Delivery): number =>
  (Date.parse(nextAttemptAt!) - Date.parse(tries.at(-1)!.at)) / 1000;

graphqlClause("10.webhooks.tries", "tries come after growing pauses", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  endpoint.answer = (response) => response.writeHead(503).end("closed".repeat(1_000));
  await app.make.category();
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
  const longer: number[] = [];
  for (const [index, minute] of minutes.entries()) {
    const delivery = await tried(app, endpoint, index + 1);
    expect(delivery).toMatchObject({ state: "WAITING", attempts: index + 1 });
    // The pause begins when the try has ended, and is up to a tenth longer.
    expect(pauseOf(delivery)).toBeGreaterThanOrEqual(minute * 60);
    expect(pauseOf(delivery)).toBeLessThan(minute * 60 * 1.1 + 5);
    longer.push(pauseOf(delivery) / (minute * 60) - 1);
    await hurry(app);
  }
  // By chance, so that many messages don't come back at the same moment.
  expect(Math.max(...longer.slice(2))).toBeGreaterThan(0.005);
  const { state, nextAttemptAt, tries } = await tried(app, endpoint, 10);
  expect([state, nextAttemptAt]).toEqual(["GIVEN_UP", null]);
  for (const { status, fault, answer } of tries) {
    expect([status, fault, answer]).toEqual([503, null, "closed".repeat(167).slice(0, 1_000)]);
  }
  expect(new Set(endpoint.messages.map(({ id }) => id)).size).toBe(1);
});

graphqlClauseEach<[number, Record<string, string>, number]>(
  "10.webhooks.tries",
  "an answer other than 2xx is a failure",
  {
    "a redirect, even to the same place": [302, { location: "/" }, 5],
    "not found": [404, {}, 5],
    "later, please": [429, { "retry-after": "700" }, 700],
    "sooner than the pause": [503, { "retry-after": "1" }, 5],
    "much later": [503, { "retry-after": "99999999" }, 86_400],
  },
  async ([status, headers, seconds]) => {
    const endpoint = await createEndpoint(app, { types: ["category.created"] });
    endpoint.answer = answerWith(status, headers);
    await app.make.category();
    const delivery = await tried(app, endpoint, 1);
    expect(delivery.tries).toMatchObject([{ status, fault: null, answer: "no" }]);
    expect(delivery.state).toBe("WAITING");
    expect(pauseOf(delivery)).toBeGreaterThanOrEqual(seconds);
    expect(pauseOf(delivery)).toBeLessThan(seconds * 1.1 + 5);
    expect(endpoint.messages).toHaveLength(1);
  },
);

graphqlClause("10.webhooks.disabled", "an answer of 410 disables the endpoint", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  endpoint.answer = answerWith(410);
  await app.make.category();
  await eventually(async () => !(await stateOf(endpoint)).isActive);
  const disabledBecause = "The receiver answered 410: it is gone";
  expect(await stateOf(endpoint)).toMatchObject({ isActive: false, disabledBecause });
  const line = await eventually(() => app.log.find((each) => each.includes("disabled")));
  expect(JSON.parse(line)).toMatchObject({ level: "error", id: endpoint.id, disabledBecause });
  const metric = 'tea_webhook_endpoints{state="disabled"} 1';
  await eventually(async () => (await app.metrics()).includes(metric));
  expect(await app.metrics()).toContain('tea_webhook_attempts_total{end="failed"}');
  // What has happened is no administrator's change.
  expect(await entries(app, { subject: "WEBHOOK_ENDPOINT", subjectId: endpoint.id })).toHaveLength(
    1,
  );
});

test("an endpoint is disabled once, however many answers come after that", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  const held: ServerResponse[] = [];
  endpoint.answer = (response) => held.push(response);
  for (let made = 0; made < 3; made += 1) await app.make.category();
  await endpoint.until(({ length }) => length === 3);
  const [first, second, third] = held;
  const settled = (count: number) =>
    eventually(async () => {
      const deliveries = await deliveriesOf(app, endpoint.id);
      return deliveries.filter(({ tries }) => tries.length === 1).length === count;
    });
  answerWith(410)(first!);
  await settled(1);
  answerWith(410)(second!);
  await settled(2);
  third!.writeHead(204).end();
  await settled(3);
  expect(await stateOf(endpoint)).toMatchObject({
    isActive: false,
    disabledBecause: "The receiver answered 410: it is gone",
  });
  // Its line comes after what is stored, and before that of the next endpoint.
  const next = await createEndpoint(app, { types: ["category.created"] });
  next.answer = answerWith(410);
  await app.make.category();
  const lines = () => app.log.filter((each) => each.includes("disabled an endpoint"));
  const idsOf = () => lines().map((line) => (JSON.parse(line) as { id: number }).id);
  await eventually(() => idsOf().includes(next.id));
  expect(idsOf().filter((id) => id === endpoint.id)).toEqual([endpoint.id]);
});

graphqlClause("10.webhooks.disabled", "five days of failures alone disable it", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  const days = (count: number) =>
    app.sql(
      `UPDATE webhook_endpoints SET failing_since = now() - $2 * interval '1 day' WHERE id = $1`,
      [endpoint.id, count],
    );
  endpoint.answer = answerWith(500);
  await app.make.category();
  await tried(app, endpoint, 1);
  const since = Date.parse((await stateOf(endpoint)).failingSince!);
  expect(Math.abs(Date.now() - since)).toBeLessThan(60_000);
  await days(4.99);
  await hurry(app);
  await tried(app, endpoint, 2);
  expect(await stateOf(endpoint)).toMatchObject({ isActive: true, disabledBecause: null });
  endpoint.answer = (response) => response.writeHead(200).end();
  await hurry(app);
  await tried(app, endpoint, 3);
  // Nobody has changed its settings.
  expect(await stateOf(endpoint)).toMatchObject({ failingSince: null, version: 1 });
  endpoint.answer = answerWith(500);
  await app.make.category();
  await eventually(async () => (await stateOf(endpoint)).failingSince !== null);
  await days(5.01);
  await hurry(app);
  await eventually(async () => !(await stateOf(endpoint)).isActive);
  expect((await stateOf(endpoint)).disabledBecause).toBe("Nothing has succeeded for 5 days");
});

graphqlClause("10.webhooks.disabled", "an inactive endpoint keeps what waits", async () => {
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  await setEndpoint(app, endpoint, "isActive: false");
  const { id } = await app.make.product();
  for (const price of ["2.00", "3.00", "4.00"]) {
    await app.sql("UPDATE products SET price = $2 WHERE id = $1", [id, price]);
  }
  const waiting = await deliveriesOf(app, endpoint.id, "WAITING");
  expect(waiting.map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
  const other = await createEndpoint(app, { types: ["category.created"] });
  await app.make.category();
  await other.until(({ length }) => length === 1);
  expect(endpoint.messages).toEqual([]);
  await app.sql(
    "UPDATE webhook_endpoints SET disabled_because = 'x', failing_since = now() - interval '9 days' WHERE id = $1",
    [endpoint.id],
  );
  await setEndpoint(app, endpoint, "isActive: true");
  expect(await stateOf(endpoint)).toMatchObject({ disabledBecause: null, failingSince: null });
  await endpoint.until(({ length }) => length === 3);
  expect(endpoint.messages.map(({ data }) => data["version"])).toEqual([2, 3, 4]);
});

graphqlClause("10.webhooks.tries", "a receiver out of reach is a failure", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  await setEndpoint(app, endpoint, 'url: "http://127.0.0.1:1/"');
  await app.make.category();
  const { tries } = await tried(app, endpoint, 1);
  expect(tries).toMatchObject([{ status: null, fault: "connection refused", answer: "" }]);
  await setEndpoint(app, endpoint, `url: "${endpoint.url}"`);
  await hurry(app);
  await endpoint.until(({ length }) => length === 1);
});
