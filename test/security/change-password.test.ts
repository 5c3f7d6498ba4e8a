import { compareSync, hashSync } from "bcrypt";
import { PasswordThreads } from "../../src/services/administrators/passwords";
import { execute } from "../graphql/client";
import { seriesIn } from "../operations/series";
import { startApp, startReplica, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { watchComparisons } from "../support/comparisons";
import { PASSWORD } from "../support/factories";
import { extensionsOf } from "../support/refusals";
import { atRest } from "./login";
import { change, claimsIn, NEXT, renew, statusesOf, tokenOf } from "./own-account";

jest.setTimeout(60_000);

const COST = 5;

let app: TestApp;
let email: string;
let token: string;
beforeAll(async () => {
  app = await startApp({ passwords: { cost: COST }, metrics: { port: 0 } });
});
const comparisons = watchComparisons();
const hashes = jest.spyOn(PasswordThreads.prototype, "hash");
beforeEach(async () => {
  ({ email } = await app.make.admin({ password_hash: hashSync(PASSWORD, COST) }));
  token = await tokenOf(app, email);
  comparisons.reset();
  hashes.mockClear();
});
afterAll(async () => {
  comparisons.stop();
  hashes.mockRestore();
  await app.close();
});

const unauthenticated = { token: undefined, refusal: extensionsOf(401) };
const invalid = { token: undefined, refusal: extensionsOf(400, "Invalid credentials") };

async function storedHash(): Promise<string> {
  const [row] = await app.sql<{ password_hash: string }>(
    "SELECT password_hash FROM admins WHERE email = $1",
    [email],
  );
  return row!.password_hash;
}

/** Does this while the next hash is made: the current password has been checked, and nothing is stored. */
function duringNextHash(work: () => Promise<unknown>): void {
  hashes.mockImplementationOnce(async (password, cost) => {
    await work();
    return hashSync(password, cost);
  });
}

const setDirectly = (password: string) =>
  app.sql("UPDATE admins SET password_hash = $1 WHERE email = $2", [
    hashSync(password, COST),
    email,
  ]);

clause(
  "10.password",
  "the password is changed, and every token of the account has ended but the one of the answer",
  { doors: ["GraphQL", "REST"] },
  async () => {
    const others = [token, await tokenOf(app, email), (await renew(app, token)).token!];
    const { token: next, refusal } = await change(app, { token });
    expect(refusal).toBeUndefined();
    for (const each of others) {
      expect(await statusesOf(app, each)).toEqual([401, 401]);
      expect(await renew(app, each)).toEqual(unauthenticated);
    }
    expect(await statusesOf(app, next!)).toEqual([200, 200]);
    expect(await atRest(app, { email })).toBe(400);
    expect(await atRest(app, { email, password: NEXT })).toBe(200);
    expect((await renew(app, next!)).refusal).toBeUndefined();
  },
);

clause(
  "10.password",
  "the token of the answer is of a new login, and another account keeps its tokens",
  { doors: ["GraphQL"] },
  async () => {
    const other = await tokenOf(app, (await app.make.admin()).email);
    const before = Math.floor(Date.now() / 1000);
    const { iat, exp, auth_time } = claimsIn((await change(app, { token })).token);
    expect([auth_time, exp]).toEqual([iat, iat + app.settings.tokens.ttl]);
    expect(auth_time).toBeGreaterThanOrEqual(before);
    expect(await statusesOf(app, other)).toEqual([200, 200]);
  },
);

clause(
  "10.password",
  "a change to the current password ends the other tokens, too",
  { doors: ["GraphQL"] },
  async () => {
    const { token: next } = await change(app, { token, next: PASSWORD });
    expect(await statusesOf(app, token)).toEqual([401, 401]);
    expect(await statusesOf(app, next!)).toEqual([200, 200]);
    expect(await atRest(app, { email })).toBe(200);
  },
);

test("the new hash has the cost that is set, whatever the old one had", async () => {
  await app.sql("UPDATE admins SET password_hash = $1 WHERE email = $2", [
    hashSync(PASSWORD, 4),
    email,
  ]);
  expect((await change(app, { token: await tokenOf(app, email) })).refusal).toBeUndefined();
  const stored = await storedHash();
  expect([stored.split("$")[2], compareSync(NEXT, stored)]).toEqual(["05", true]);
});

clauseEach<string>(
  "10.password.attempts",
  "a wrong current password is answered and compared as at login, and nothing changes",
  { doors: ["GraphQL"] },
  {
    "another password": "wrong password",
    "a blank before the right one": ` ${PASSWORD}`,
    "in capitals": PASSWORD.toUpperCase(),
    "73 bytes": "x".repeat(73),
    "10,000 characters": "x".repeat(10_000),
  },
  async (current) => {
    const before = await storedHash();
    expect(await change(app, { token, current })).toEqual(invalid);
    expect(comparisons.seen().map(({ password }) => password)).toEqual([current]);
    expect(hashes).not.toHaveBeenCalled();
    expect(await storedHash()).toBe(before);
    expect(await statusesOf(app, token)).toEqual([200, 200]);
  },
);

test("passwords are compared with the work of the dearest hash, as at login", async () => {
  await app.make.admin({ password_hash: hashSync(PASSWORD, 7) });
  expect(await change(app, { token, current: "wrong" })).toEqual(invalid);
  expect(await atRest(app, { email, password: "wrong" })).toBe(400);
  const [changing, login] = comparisons.seen();
  expect(changing).toEqual(login);
  await app.sql("DELETE FROM admins WHERE password_hash LIKE '$2b$07$%'");
});

test.each([
  ["12 characters", "twelve chars"],
  ["72 bytes", "x".repeat(72)],
  ["emoji", "🍵".repeat(12)],
  ["blanks around", `  ${NEXT}  `],
  ["blanks alone", " ".repeat(12)],
  ["digits alone", "839201746512"],
  ["a word of the shop among others", "green tea at four"],
])("a new password of %s is set as it is, and can be used", async (_label, next) => {
  const { token: second } = await change(app, { token, next });
  expect(await statusesOf(app, second!)).toEqual([200, 200]);
  expect(await atRest(app, { email, password: next })).toBe(200);
  expect((await change(app, { token: second!, current: next })).refusal).toBeUndefined();
});

const shortFault = "newPassword must have at least 12 characters";
const longFault = "newPassword must have at most 72 bytes";
const oddFault = "newPassword must be well-formed Unicode without NUL";
const commonFault = "newPassword must not be a common password";
const shopFault = "newPassword must have more than words of the shop";

clauseEach<[change: { current?: string; next?: string }, messages: string[]]>(
  "10.password.rules",
  "what breaks the rules is refused with all faults, before any password is compared",
  { doors: ["GraphQL"] },
  {
    "an empty new password": [{ next: "" }, [shortFault]],
    "11 characters": [{ next: "eleven char" }, [shortFault]],
    "73 bytes": [{ next: "x".repeat(73) }, [longFault]],
    "10,000 characters": [{ next: "x".repeat(10_000) }, [longFault]],
    "a NUL": [{ next: "twelve chars\0" }, [oddFault]],
    "a frequent password": [{ next: "1QAZ2wsx3edc" }, [commonFault]],
    "words of the shop and a year": [{ next: "Tea-Shop-Admin 2026!" }, [shopFault]],
    "lone surrogates": [{ next: "\ud83c".repeat(12) }, [oddFault]],
    "an empty current password": [{ current: "" }, ["currentPassword should not be empty"]],
    "a NUL in the current password": [
      { current: `${PASSWORD}\0` },
      ["currentPassword must be well-formed Unicode without NUL"],
    ],
    "a lone surrogate in the current password": [
      { current: "\udf75" },
      ["currentPassword must be well-formed Unicode without NUL"],
    ],
    both: [{ current: "", next: "short" }, ["currentPassword should not be empty", shortFault]],
  },
  async ([given, messages]) => {
    expect(await change(app, { token, ...given })).toEqual({
      token: undefined,
      refusal: extensionsOf(400, messages),
    });
    expect([comparisons.seen(), hashes.mock.calls]).toEqual([[], []]);
    expect(await statusesOf(app, token)).toEqual([200, 200]);
  },
);

clause(
  "10.password.races",
  "of two changes at once one wins, and the other has the wrong current password",
  { doors: ["GraphQL"] },
  async () => {
    const replica = await startReplica(app);
    const shops = [app, replica];
    const answers = await Promise.all(
      shops.map((shop, n) => change(shop, { token, next: `${NEXT} ${n}` })),
    );
    const winner = answers.findIndex((answer) => answer.token !== undefined);
    expect(answers[1 - winner]!.token).toBeUndefined();
    // The other is refused for its password, or even for its token where it came too late for that.
    expect([invalid, unauthenticated]).toContainEqual(answers[1 - winner]);
    expect(await statusesOf(app, answers[winner]!.token!)).toEqual([200, 200]);
    expect(await atRest(app, { email, password: `${NEXT} ${winner}` })).toBe(200);
    await replica.close();
  },
);

clause(
  "10.password.races",
  "a change that another one overtakes is checked against the password of that one",
  { doors: ["GraphQL"] },
  async () => {
    const replica = await startReplica(app);
    let overtaking: string | undefined;
    duringNextHash(async () => {
      ({ token: overtaking } = await change(replica, { token, next: "the one that came first" }));
    });
    expect(await change(app, { token })).toEqual(invalid);
    expect(comparisons.seen()).toHaveLength(3);
    expect(await statusesOf(app, overtaking!)).toEqual([200, 200]);
    expect(await atRest(app, { email, password: "the one that came first" })).toBe(200);
    await replica.close();
  },
);

test("a hash that is renewed meanwhile does not keep the password from being changed", async () => {
  duringNextHash(() => setDirectly(PASSWORD));
  const { token: next } = await change(app, { token });
  expect(await statusesOf(app, next!)).toEqual([200, 200]);
  expect(await atRest(app, { email, password: NEXT })).toBe(200);
});

test("an account that changes again and again is checked a few times, not without end", async () => {
  for (let n = 0; n < 3; n += 1) duringNextHash(() => setDirectly(PASSWORD));
  expect((await change(app, { token })).refusal).toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    http: { retryAfter: 1 },
  });
  expect(comparisons.seen()).toHaveLength(3);
});

clauseEach<string>(
  "10.password.races",
  "an account that is gone meanwhile is no more than a bad token",
  { doors: ["GraphQL"] },
  {
    deactivated: "UPDATE admins SET is_active = false WHERE email = $1",
    deleted: "DELETE FROM admins WHERE email = $1",
  },
  async (end) => {
    duringNextHash(() => app.sql(end, [email]));
    const failed = async () => seriesIn(await app.metrics()).get('tea_logins_total{end="failed"}');
    const before = (await failed()) ?? 0;
    expect(await change(app, { token })).toEqual(unauthenticated);
    expect(await failed()).toBe(before + 1);
    expect(await app.sql("SELECT FROM admins WHERE email = $1 AND is_active", [email])).toEqual([]);
  },
);

test("a deactivated account is refused before its password is looked at", async () => {
  await app.sql("UPDATE admins SET is_active = false WHERE email = $1", [email]);
  for (const next of [NEXT, "short"]) {
    expect(await change(app, { token, next })).toEqual(unauthenticated);
  }
  expect(comparisons.seen()).toEqual([]);
});

test("after a change in the same operation the token can't be renewed any more", async () => {
  const query = `mutation {
    before: renewToken { accessToken }
    changePassword(currentPassword: "${PASSWORD}", newPassword: "${NEXT}") { accessToken }
    after: renewToken { accessToken }
  }`;
  const { body } = await execute(app, { query }, `Bearer ${token}`);
  expect(body.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
    [["after"], "UNAUTHENTICATED"],
  ]);
});
