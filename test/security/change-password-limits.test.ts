import { Client } from "pg";
import { execute } from "../graphql/client";
import { startReplica, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { waitingForLocks } from "../support/locks";
import { extensionsOf } from "../support/refusals";
import { seriesIn } from "../operations/series";
import { atGraphql, atRest, beforeEachOnLoginShop, inTurn, tally, WRONG } from "./login";
import { change, changeStatus, NEXT, statusesOf, tokenOf } from "./own-account";

// Changes of the password are attempts to prove one, and count together with logins.

const LIMIT = 4;
const ADDRESS_LIMIT = 7;
const HERE = "198.51.100.1";
const ELSEWHERE = "203.0.113.9";

let app: TestApp;
let replica: TestApp;
let email: string;
let token: string;
beforeEachOnLoginShop(
  {
    login: { failureLimit: LIMIT, addressFailureLimit: ADDRESS_LIMIT },
    http: { trustProxy: 1 },
    metrics: { port: 0 },
  },
  (shop) => {
    ({ app, replica, email } = shop);
  },
);
beforeEach(async () => {
  token = await tokenOf(app, email);
});

const wrongly = (shop = app) => changeStatus(shop, { token, current: WRONG });

clause(
  "10.password.attempts",
  "failed changes and failed logins of an account count together, at both doors and all replicas",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const ways = [
      () => wrongly(),
      () => atRest(replica, { email: email.toUpperCase(), password: WRONG }),
      () => wrongly(replica),
      () => atGraphql(app, { email, password: WRONG }),
    ];
    for (const way of ways) expect(await way()).toBe(400);
    for (const way of ways) expect(await way()).toBe(429);
    expect(await changeStatus(app, { token })).toBe(429);
    expect(await atRest(app, { email })).toBe(429);
  },
);

clause(
  "10.password.attempts",
  "at the limit a change is refused and says when to come again, right password or not",
  { doors: ["GraphQL"] },
  async () => {
    await inTurn(LIMIT, () => wrongly());
    for (const current of [WRONG, PASSWORD]) {
      const { refusal } = await change(app, { token, current });
      expect(refusal).toEqual(extensionsOf(429, undefined, { retryAfter: expect.any(Number) }));
      expect(refusal!.http.retryAfter).toBeGreaterThan(0);
      expect(refusal!.http.retryAfter).toBeLessThanOrEqual(900);
    }
    // What needs no password goes on.
    expect(await statusesOf(app, token)).toEqual([200, 200]);
  },
);

clause(
  "10.password.attempts",
  "a change that succeeds resets what a login resets",
  { doors: ["GraphQL", "REST"] },
  async () => {
    await inTurn(LIMIT - 1, () => atRest(app, { email, password: WRONG }));
    token = (await change(app, { token })).token!;
    expect(tally(await inTurn(LIMIT - 1, () => wrongly()))).toEqual({ 400: LIMIT - 1 });
    expect(await atRest(app, { email, password: NEXT })).toBe(200);
    // The failures of the address are not reset by either.
    const [row] = await app.sql<{ points: number }>(
      "SELECT max(points) AS points FROM login_failures",
    );
    expect(row?.points).toBe(2 * (LIMIT - 1));
  },
);

test("the limit is of an account from an address, and of an address", async () => {
  await inTurn(LIMIT, () => changeStatus(app, { token, current: WRONG, from: HERE }));
  expect(await changeStatus(app, { token, from: HERE })).toBe(429);

  const other = (await app.make.admin()).email;
  const others = await tokenOf(app, other);
  const tries = () => changeStatus(app, { token: others, current: WRONG, from: HERE });
  expect(await inTurn(4, tries)).toEqual([400, 400, 400, 429]);
  expect(await changeStatus(app, { token, from: ELSEWHERE })).toBe(200);
});

test("new passwords that break the rules are no attempts", async () => {
  const tries = () => changeStatus(app, { token, current: WRONG, next: "short" });
  expect(tally(await inTurn(LIMIT + 2, tries))).toEqual({ 400: LIMIT + 2 });
  expect(await changeStatus(app, { token })).toBe(200);
});

test("a bad token is no attempt", async () => {
  const tries = () => changeStatus(app, { token: "x.y.z", current: WRONG });
  expect(tally(await inTurn(ADDRESS_LIMIT + 1, tries))).toEqual({ 401: ADDRESS_LIMIT + 1 });
  expect(await changeStatus(app, { token })).toBe(200);
});

test("a burst of changes gets no more tries than the limit", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, n) => wrongly([app, replica][n % 2])),
  );
  const { 400: failed, 429: limited = 0, 503: early = 0, ...others } = tally(statuses);
  expect([failed, limited + early, others]).toEqual([LIMIT, 20 - LIMIT, {}]);
});

test("a change waits for its turn with logins, and is refused where too many wait", async () => {
  const narrow = await startReplica(app, {
    login: { concurrency: 1, queueLimit: 0, failureLimit: 0, addressFailureLimit: 0 },
  });
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  try {
    await holder.query("BEGIN");
    await holder.query("SELECT FROM admins FOR UPDATE");
    // It has the one place until it may store the new hash.
    const changing = change(narrow, { token });
    await eventually(async () => (await waitingForLocks(app)) === 1);
    expect(await atRest(narrow, { email })).toBe(503);
    expect(await changeStatus(narrow, { token })).toBe(503);
    await holder.query("ROLLBACK");
    expect((await changing).refusal).toBeUndefined();
  } finally {
    await holder.end();
    await narrow.close();
  }
});

test("changes are counted as logins are, by how they end", async () => {
  const ends = async () => {
    const series = seriesIn(await app.metrics());
    return ["succeeded", "failed", "blocked"].map(
      (end) => series.get(`tea_logins_total{end="${end}"}`) ?? 0,
    );
  };
  const before = await ends();
  token = (await change(app, { token })).token!;
  await inTurn(LIMIT + 1, () => wrongly());
  const after = await ends();
  expect(after.map((count, n) => count - before[n]!)).toEqual([1, LIMIT, 1]);
});

const CHANGE = "changePassword(currentPassword: $password, newPassword: $password) { accessToken }";
const LOGIN = 'login(input: { email: "a@example.com", password: $password }) { accessToken }';
const onlyChange = "changePassword may occur once per operation";
const either = "login or changePassword may occur once per operation";

clauseEach<[selection: string, message: string, fragments?: string]>(
  "10.limits.login",
  "a second try in one operation is refused before either is made",
  { doors: ["GraphQL"] },
  {
    "the same field": [`${CHANGE} ${CHANGE}`, onlyChange],
    "an alias": [`${CHANGE} b: ${CHANGE}`, onlyChange],
    "an inline fragment": [`${CHANGE} ... on Mutation { b: ${CHANGE} }`, onlyChange],
    "a fragment": [`${CHANGE} ...F`, onlyChange, `fragment F on Mutation { b: ${CHANGE} }`],
    "a login after it": [`${CHANGE} ${LOGIN}`, either],
    "a login before it": [`${LOGIN} ${CHANGE}`, either],
  },
  async ([selection, message, fragments = ""]) => {
    const query = `mutation ($password: String!) { ${selection} } ${fragments}`;
    const variables = { password: PASSWORD };
    const { body } = await execute(app, { query, variables }, `Bearer ${token}`);
    expect(body.data ?? null).toBeNull();
    expect(body.errors?.map(({ extensions }) => extensions)).toEqual([
      extensionsOf(400, [message]),
    ]);
    expect(await statusesOf(app, token)).toEqual([200, 200]);
  },
);
