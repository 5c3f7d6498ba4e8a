import type { TestApp } from "../support/app";
import { clause, graphqlClause } from "../support/clause";
import { atDrift } from "../support/drift";
import { PASSWORD } from "../support/factories";
import {
  atGraphql,
  atRest,
  beforeEachOnLoginShop,
  inTurn,
  mutateLogin,
  postLogin,
  tally,
  WRONG,
} from "./login";
import { errorBody } from "../support/refusals";

jest.setTimeout(60_000);

const LIMIT = 10;
const WINDOW_MS = 15 * 60 * 1000;

let app: TestApp;
let replica: TestApp;
let email: string;
beforeEachOnLoginShop({ login: { failureLimit: LIMIT } }, (shop) => {
  ({ app, replica, email } = shop);
});

const refusal = errorBody(429);
const invalid = errorBody(400, "Invalid credentials");

const fails = (count: number) => inTurn(count, () => atRest(app, { email, password: WRONG }));

clause("4.rate-limits.logins", "10 failures at REST are answered, then 429", async () => {
  for (let failure = 1; failure <= LIMIT; failure += 1) {
    const { status, body } = await postLogin(app, { email, password: WRONG });
    expect([status, body]).toEqual([400, invalid]);
  }
  // The right password, too: who guesses learns nothing.
  for (const password of [WRONG, PASSWORD]) {
    const { status, headers, body } = await postLogin(app, { email, password });
    expect([status, body]).toEqual([429, refusal]);
    expect(headers["retry-after"]).toMatch(/^[1-9][0-9]*$/);
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(900);
    expect(headers).not.toHaveProperty("ratelimit-limit");
  }
});

graphqlClause("4.rate-limits.logins", "10 failures at GraphQL are answered, then 429", async () => {
  for (let failure = 1; failure <= LIMIT; failure += 1) {
    const { body } = await mutateLogin(app, { email, password: WRONG });
    expect(body.errors?.[0]?.extensions.http).toEqual(invalid);
  }
  const { status, body } = await mutateLogin(app, { email });
  expect(status).toBe(200);
  expect(body.data ?? null).toBeNull();
  expect(body.errors).toHaveLength(1);
  expect(body.errors?.[0]).toMatchObject({
    message: "Too Many Requests",
    extensions: { code: "TOO_MANY_REQUESTS", http: refusal },
  });
  const { retryAfter } = body.errors![0]!.extensions.http;
  expect(retryAfter).toBeGreaterThan(0);
  expect(retryAfter).toBeLessThanOrEqual(900);
});

clause("4.rate-limits.pending", "a burst gets no more tries than the limit", async () => {
  const ways = [
    [app, atRest],
    [replica, atGraphql],
    [replica, atRest],
    [app, atGraphql],
  ] as const;
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, n) => {
      const [target, login] = ways[n % ways.length]!;
      return login(target, { email, password: `guess ${n}` });
    }),
  );
  const { 400: failed, 429: limited = 0, 503: early = 0, ...others } = tally(statuses);
  expect([failed, limited + early, others]).toEqual([LIMIT, 60 - LIMIT, {}]);
  for (const [target, login] of ways) expect(await login(target, { email })).toBe(429);
});

clause("4.rate-limits.logins", "a success starts the count anew", async () => {
  expect(tally(await fails(LIMIT - 1))).toEqual({ 400: LIMIT - 1 });
  expect(await atRest(app, { email })).toBe(200);
  expect(tally(await fails(LIMIT + 1))).toEqual({ 400: LIMIT, 429: 1 });
});

test("a success of one account does not reset another's count", async () => {
  const other = await app.make.admin();
  await fails(LIMIT);
  expect(await atRest(app, { email: other.email })).toBe(200);
  expect(await fails(1)).toEqual([429]);
});

clause("4.rate-limits.logins", "unknown and inactive accounts count alike", async () => {
  const inactive = await app.make.admin({ is_active: false });
  for (const account of ["nobody@example.com", inactive.email, email]) {
    const answers: unknown[] = [];
    for (let n = 0; n <= LIMIT; n += 1) {
      answers.push((await postLogin(app, { email: account, password: WRONG })).body);
    }
    expect(answers).toEqual([...Array<object>(LIMIT).fill(invalid), refusal]);
  }
});

clause("4.rate-limits.logins", "requests that are no try do not count", async () => {
  const bodies = [{ email }, { email, password: "" }, { email: "none", password: WRONG }, {}];
  for (let n = 0; n <= LIMIT; n += 1) {
    for (const body of bodies) {
      expect((await app.http.post("/auth/login").send(body)).status).toBe(400);
    }
  }
  expect(await app.sql("SELECT FROM login_failures")).toEqual([]);
  expect(tally(await fails(LIMIT))).toEqual({ 400: LIMIT });
});

clause("4.rate-limits.logins", "failures end counting after 15 minutes", async () => {
  const before = Date.now();
  await fails(LIMIT + 1);
  const [row] = await app.sql<{ expire: string }>("SELECT expire FROM login_failures");
  const left = Number(row!.expire) - Date.now();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(WINDOW_MS);
  expect(Number(row!.expire)).toBeGreaterThanOrEqual(before + WINDOW_MS);

  // Until then the rest of the time is what a client is told.
  await app.sql("UPDATE login_failures SET expire = $1", [Date.now() + 30_000]);
  const { headers } = await postLogin(app, { email });
  expect(Number(headers["retry-after"])).toBeLessThanOrEqual(30);

  await app.sql("UPDATE login_failures SET expire = $1", [Date.now() - 1]);
  expect(await atRest(app, { email })).toBe(200);
  expect(tally(await fails(LIMIT + 1))).toEqual({ 400: LIMIT, 429: 1 });
});

clause("4.rate-limits.logins", "a replica whose clock is wrong counts alike", async () => {
  const hour = 3600;
  await fails(LIMIT - 1);
  await atDrift(hour, () => fails(1));
  for (const seconds of [0, hour, -hour]) {
    const { status, headers } = await atDrift(seconds, () => postLogin(app, { email }));
    expect(status).toBe(429);
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(900);
  }
  await app.sql("UPDATE login_failures SET expire = $1", [Date.now() - 1]);
  expect(await atDrift(-hour, () => atRest(app, { email }))).toBe(200);
});

test("being refused does not lengthen the time", async () => {
  await fails(LIMIT);
  const expiry = () => app.sql("SELECT expire FROM login_failures");
  const before = await expiry();
  expect(tally(await fails(5))).toEqual({ 429: 5 });
  expect(await expiry()).toEqual(before);
});

test("neither addresses of people nor of machines are stored", async () => {
  await fails(2);
  const rows = JSON.stringify(await app.sql("SELECT * FROM login_failures"));
  expect(rows).not.toContain(email);
  expect(rows).not.toContain("127.0.0.1");
});
