import { hashSync } from "bcrypt";
import { startReplica, type TestApp } from "../support/app";
import { clause } from "../support/clause";
import { PASSWORD } from "../support/factories";
import {
  atGraphql,
  atRest,
  beforeEachOnLoginShop,
  inTurn,
  loginDoors,
  postLogin,
  tally,
  WRONG,
} from "./login";
import { expectRefused } from "../support/refusals";

jest.setTimeout(60_000);

const ADDRESS_LIMIT = 12;
const LIMIT = 4;
const COST_10 = hashSync(PASSWORD, 10);

let app: TestApp;
let email: string;
beforeEachOnLoginShop(
  {
    login: { failureLimit: LIMIT, addressFailureLimit: ADDRESS_LIMIT },
    http: { trustProxy: 1 },
  },
  (shop) => {
    ({ app, email } = shop);
  },
);

const HERE = "198.51.100.1";
const ELSEWHERE = "203.0.113.9";

/** Fails this often from an address, each time with another account. */
function failsOverAccounts(count: number, from: string): Promise<number[]> {
  let number = 0;
  return inTurn(count, () =>
    atRest(app, { email: `nobody-${(number += 1)}@example.com`, password: WRONG, from }),
  );
}

test.each(Object.entries(loginDoors))(
  "the right password works from elsewhere while the account is attacked: %s",
  async (_label, login) => {
    await inTurn(LIMIT, () => login(app, { email, password: WRONG, from: HERE }));
    expect(await login(app, { email, from: HERE })).toBe(429);
    expect(await login(app, { email, from: ELSEWHERE })).toBe(200);
    // That success is no amnesty for the attacker.
    expect(await login(app, { email, from: HERE })).toBe(429);
  },
);

clause("4.rate-limits.logins", "over all accounts", { doors: ["REST", "GraphQL"] }, async () => {
  expect(tally(await failsOverAccounts(ADDRESS_LIMIT, HERE))).toEqual({ 400: ADDRESS_LIMIT });
  const { status, headers, body } = await postLogin(app, { email, from: HERE });
  expectRefused({ status, body }, 429);
  expect(headers["retry-after"]).toMatch(/^[1-9][0-9]*$/);
  expect(await atGraphql(app, { email, from: HERE })).toBe(429);
  expect(await atRest(app, { email, from: ELSEWHERE })).toBe(200);
});

test("whom both limits block is told the longer of the two times", async () => {
  await inTurn(LIMIT, () => atRest(app, { email, password: WRONG, from: HERE }));
  await failsOverAccounts(ADDRESS_LIMIT - LIMIT, HERE);
  const told = async (ofAddress: number, ofAccount: number) => {
    await app.sql(
      `UPDATE login_failures SET expire = CASE points WHEN $1 THEN $2::bigint WHEN $3 THEN $4::bigint ELSE expire END`,
      [ADDRESS_LIMIT, Date.now() + ofAddress, LIMIT, Date.now() + ofAccount],
    );
    const { status, headers } = await postLogin(app, { email, from: HERE });
    return [status, Number(headers["retry-after"]) > 400];
  };
  expect(await told(800_000, 100_000)).toEqual([429, true]);
  expect(await told(100_000, 800_000)).toEqual([429, true]);
});

test("a burst over many accounts gets no more tries than the address's limit", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      atRest(app, { email: `nobody-${n}@example.com`, password: WRONG, from: HERE }),
    ),
  );
  const { 400: failed, 429: limited = 0, 503: early = 0, ...others } = tally(statuses);
  expect([failed, limited + early, others]).toEqual([ADDRESS_LIMIT, 40 - ADDRESS_LIMIT, {}]);
  expect(await atRest(app, { email, from: HERE })).toBe(429);
});

test("tries on a limited account do not use up the address's tries", async () => {
  await inTurn(LIMIT + 20, () => atRest(app, { email, password: WRONG, from: HERE }));
  expect(tally(await failsOverAccounts(ADDRESS_LIMIT - LIMIT + 1, HERE))).toEqual({
    400: ADDRESS_LIMIT - LIMIT,
    429: 1,
  });
});

test("successes of many accounts at one address, an office's, are not counted", async () => {
  const statuses: number[] = [];
  for (let n = 0; n < ADDRESS_LIMIT + 5; n += 1) {
    const { email: colleague } = await app.make.admin();
    statuses.push(await atRest(app, { email: colleague, from: HERE }));
  }
  expect(tally(statuses)).toEqual({ 200: ADDRESS_LIMIT + 5 });
});

clause("4.rate-limits.address", "only the proxy's own word is believed", async () => {
  let turn = 0;
  const statuses = await inTurn(LIMIT + 2, () =>
    atRest(app, { email, password: WRONG, from: `192.0.2.${(turn += 1)}, ${HERE}` }),
  );
  expect(tally(statuses)).toEqual({ 400: LIMIT, 429: 2 });
});

test("logins that are refused for want of time do not count", async () => {
  const busy = await startReplica(app, { login: { concurrency: 1, queueLimit: 0 } });
  await app.make.admin({ password_hash: COST_10 }); // no comparison takes less
  try {
    const statuses = await Promise.all(
      Array.from({ length: LIMIT }, () =>
        atRest(busy, { email: "nobody@example.com", password: WRONG, from: HERE }),
      ),
    );
    const { 400: failed = 0, 503: refused = 0 } = tally(statuses);
    expect(failed + refused).toBe(LIMIT);
    expect(refused).toBeGreaterThan(0);
    const rest = await inTurn(refused + 1, () =>
      atRest(app, { email: "nobody@example.com", password: WRONG, from: HERE }),
    );
    expect(tally(rest)).toEqual({ 400: refused, 429: 1 });
  } finally {
    await app.sql("DELETE FROM admins WHERE password_hash = $1", [COST_10]);
    await busy.close();
  }
});

clause("4.rate-limits.off", "0 switches either limit of logins off", async () => {
  const open = await startReplica(app, { login: { failureLimit: 0, addressFailureLimit: 0 } });
  const fails = () => atRest(open, { email, password: WRONG, from: HERE });
  try {
    expect(tally(await inTurn(ADDRESS_LIMIT + 5, fails))).toEqual({ 400: ADDRESS_LIMIT + 5 });
    expect(tally(await Promise.all(Array.from({ length: 5 }, fails)))).toEqual({ 400: 5 });
    // Rows of wrong codes are written by each failure, and count none here.
    const counted = "SELECT FROM login_failures WHERE points > 0 OR pending <> '{}'";
    expect(await app.sql(counted)).toEqual([]);
  } finally {
    await open.close();
  }
});
