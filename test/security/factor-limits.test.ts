import { Client } from "pg";
import { startApp, startReplica, type TestApp } from "../support/app";
import { clause, graphqlClause } from "../support/clause";
import { watchComparisons } from "../support/comparisons";
import { PASSWORD } from "../support/factories";
import {
  ask,
  codeOf,
  CONFIRM_CODES,
  login,
  ORIGIN,
  passkeyLogin,
  passkeyOptions,
  REFUSED,
  restLogin,
  signedIn,
  START_CODES,
  told,
  withCodes,
  withPasskey,
} from "./factors";
import { WRONG } from "./login";
import { change } from "./own-account";

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startApp({ publicOrigin: ORIGIN, http: { trustProxy: 1 } });
  replica = await startReplica(app);
});
const comparisons = watchComparisons();
afterAll(async () => {
  comparisons.stop();
  await replica.close();
  await app.close();
});

/** The statements that `work` sends, and what it answers. */
async function statementsOf<T>(work: () => Promise<T>): Promise<[string[], T]> {
  const sent = jest.spyOn(Client.prototype, "query");
  const result = await work();
  const texts = sent.mock.calls.map(([query]) => (query as { text?: string }).text ?? "");
  sent.mockRestore();
  return [texts.map((text) => text.replaceAll(/\s+/g, " ").slice(0, 200)), result];
}

graphqlClause("10.codes.alike", "all ways to fail answer and work alike", async () => {
  const plain = await signedIn(app);
  const codes = await withCodes(app);
  const passkeys = await withPasskey(app);
  const code = codeOf(codes.secret, 4);
  const [used = ""] = codes.recoveryCodes;
  expect(await login(app, { email: codes.email, code: used })).toBe("in");
  const unknown = { email: "nobody@example.com" };
  const passkey = passkeys.authenticator.get(await passkeyOptions(app));
  const wrong = { password: WRONG };
  const ways = {
    unknown: () => login(app, unknown),
    "unknown, with a code": () => login(app, { ...unknown, code }),
    "unknown, with a passkey": () => login(app, { ...unknown, passkey }),
    "a wrong password": () => login(app, { ...plain, ...wrong }),
    "a code that is not set up": () => login(app, { ...plain, code }),
    "a passkey that is not set up": () => login(app, { ...plain, passkey }),
    "no code": () => login(app, codes),
    "a wrong code": () => login(app, { ...codes, code }),
    "a wrong code and password": () => login(app, { ...codes, ...wrong, code }),
    "a right code and a wrong password": () =>
      login(app, { ...codes, ...wrong, code: codeOf(codes.secret) }),
    "a used recovery code": () => login(app, { ...codes, code: used }),
    "what is no code": () => login(app, { ...codes, code: "code" }),
    "no passkey": () => login(app, passkeys),
    "another's passkey": () => login(app, { ...codes, passkey }),
    "what is no passkey": () => login(app, { ...passkeys, passkey: {} }),
    "REST, no code": () => restLogin(app, codes.email, PASSWORD),
    "REST, a wrong code": () => restLogin(app, codes.email, PASSWORD + code),
    "a malformed passkey alone": () => passkeyLogin(app, {}),
  };
  const seen = [];
  for (const [way, fail] of Object.entries(ways)) {
    comparisons.reset();
    const [statements, answer] = await statementsOf(fail);
    expect([way, answer, comparisons.seen().length]).toEqual([way, REFUSED, 1]);
    seen.push(statements.map((text) => text.split("$")[0]));
  }
  expect(seen[0]).toHaveLength(2);
  for (const statements of seen) expect(statements).toEqual(seen[0]);
});

clause(
  "10.codes.limit",
  "20 wrong codes in an hour, from anywhere, and none is right",
  async () => {
    const { email, secret, recoveryCodes } = await withCodes(app);
    // Neither of these is a right password with a wrong code.
    await login(app, { email });
    await login(app, { email, password: WRONG, code: "000000" });
    for (let tries = 0; tries < 20; tries += 1) {
      const shop = tries % 2 === 0 ? app : replica;
      expect(await restLogin(shop, email, PASSWORD + codeOf(secret, 9))).toBe(REFUSED);
    }
    app.log.splice(0);
    for (const code of [codeOf(secret), ...recoveryCodes]) {
      expect(await login(app, { email, code })).toBe(REFUSED);
    }
    expect(app.log.join("")).toContain('"too many wrong codes"');
    await app.sql("UPDATE login_failures SET expire = 0");
    expect(await login(app, { email, code: codeOf(secret) })).toBe("in");
  },
);

graphqlClause("10.password", "with a factor, a change needs a fresh look as well", async () => {
  const { id, authorization } = await withCodes(app);
  const token = authorization.replace("Bearer ", "");
  const age =
    "UPDATE sessions SET confirmed_at = now() - interval '11 minutes' WHERE admin_id = $1";
  await app.sql(age, [id]);
  expect((await change(app, { token })).refusal).toMatchObject({
    ...{ code: "FORBIDDEN", reasons: [{ code: "CONFIRM_IDENTITY" }] },
  });
  await app.sql("UPDATE sessions SET confirmed_at = now() WHERE admin_id = $1", [id]);
  expect((await change(app, { token })).token).toEqual(expect.any(String));
});

describe("with REQUIRE_SECOND_FACTOR", () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await startReplica(app, { requireSecondFactor: true });
  });
  afterAll(() => strict.close());

  const doors = (authorization: string) =>
    Promise.all([
      strict.http
        .get("/orders")
        .set("Authorization", authorization)
        .then(({ status }) => status),
      ask(strict, ["query", "orders { meta { total } }"], {}, authorization).then(
        ({ refusal }) => refusal?.[0] ?? 200,
      ),
    ]);

  clause("10.factors.required", "who has none can set one up, and nothing else", async () => {
    const { authorization, email } = await signedIn(strict);
    expect(await doors(authorization)).toEqual([403, "FORBIDDEN"]);
    const { secret } = await told<{ secret: string }>(strict, START_CODES, {}, authorization);
    expect(await doors(authorization)).toEqual([403, "FORBIDDEN"]);
    await told(strict, CONFIRM_CODES, { code: codeOf(secret) }, authorization);
    expect(await doors(authorization)).toEqual([200, 200]);
    expect(await login(strict, { email, code: codeOf(secret, 1) })).toBe("in");
    const { authorization: other } = await withPasskey(strict);
    expect(await doors(other)).toEqual([200, 200]);
  });
});
