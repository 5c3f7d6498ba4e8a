import { startApp, startReplica, type TestApp } from "../support/app";
import { clause, graphqlClause, graphqlClauseEach } from "../support/clause";
import { PASSWORD } from "../support/factories";
import {
  ask,
  codeOf,
  CONFIRM_CODES,
  login,
  REFUSED,
  restLogin,
  signedIn,
  START_CODES,
  told,
  unused,
  withCodes,
} from "./factors";

let app: TestApp;
let replica: TestApp;
beforeAll(async () => {
  app = await startApp();
  replica = await startReplica(app);
});
afterAll(async () => {
  await replica.close();
  await app.close();
});

const FACTORS = [
  "query",
  "secondFactors { oneTimeCodes recoveryCodesLeft passkeys { id } }",
] as const;

graphqlClause("10.codes", "nothing changes until a code of the new secret is given", async () => {
  const member = await signedIn(app);
  const { authorization, email } = member;
  const started = await told<{ secret: string; uri: string }>(app, START_CODES, {}, authorization);
  const { secret, uri } = started;
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const url = new URL(uri);
  expect([url.protocol, url.host]).toEqual(["otpauth:", "totp"]);
  expect(decodeURIComponent(url.pathname)).toBe(`/Tea shop:${email}`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    ...{ secret, algorithm: "SHA1", digits: "6", period: "30" },
  });
  const wrong = await ask(app, CONFIRM_CODES, { code: codeOf(secret, 5) }, authorization);
  expect(wrong.refusal?.[0]).toBe("BAD_USER_INPUT");
  expect(await login(app, { email })).toBe("in");

  const { recoveryCodes } = await withCodes(app, member);
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^r-[\w-]{22}$/);
  expect(await told(app, FACTORS, {}, authorization)).toEqual({
    ...{ oneTimeCodes: true, recoveryCodesLeft: 10, passkeys: [] },
  });
  expect(await login(app, { email })).toBe(REFUSED);
});

graphqlClause(
  "10.codes",
  "a new secret takes the place of the one before, with its recovery codes",
  async () => {
    const before = await withCodes(app);
    const { authorization, email } = before;
    await told(app, START_CODES, {}, authorization);
    expect(await login(app, { email, code: codeOf(before.secret) })).toBe("in");
    const after = await withCodes(app, before);
    expect(await login(app, { email, code: codeOf(before.secret, 1) })).toBe(REFUSED);
    expect(await login(app, { email, code: before.recoveryCodes[0]! })).toBe(REFUSED);
    expect(await login(app, { email, code: codeOf(after.secret) })).toBe("in");
  },
);

graphqlClause("10.codes", "ended, they are not asked for any more", async () => {
  const { authorization, email, recoveryCodes } = await withCodes(app);
  expect(await told(app, ["mutation", "endOneTimeCodes"], {}, authorization)).toBe(true);
  expect(await told(app, ["mutation", "endOneTimeCodes"], {}, authorization)).toBe(false);
  expect(await login(app, { email, code: recoveryCodes[0]! })).toBe(REFUSED);
  expect(await login(app, { email })).toBe("in");
});

graphqlClauseEach<number>(
  "10.codes.once",
  "a code is good one step early or late",
  { early: 1, late: -1 },
  async (steps) => {
    const { email, secret } = await withCodes(app);
    expect(await login(app, { email, code: codeOf(secret, 3 * steps) })).toBe(REFUSED);
    expect(await login(app, { email, code: codeOf(secret, steps) })).toBe("in");
  },
);

graphqlClause(
  "10.codes.once",
  "a code is good once, and none before it is good after it",
  async () => {
    const { email, secret } = await withCodes(app);
    const [early, late] = [codeOf(secret, 1), codeOf(secret)];
    expect(await login(app, { email, code: early })).toBe("in");
    expect(await login(replica, { email, code: early })).toBe(REFUSED);
    expect(await login(app, { email, code: late })).toBe(REFUSED);
  },
);

graphqlClause(
  "10.codes.once",
  "of logins at once at two processes, a code lets one in",
  async () => {
    const { email, secret, recoveryCodes } = await withCodes(app);
    for (const code of [codeOf(secret), recoveryCodes[0]!]) {
      const given = { email, code };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, n) => login(n % 2 === 0 ? app : replica, given)),
      );
      expect(answers.sort()).toEqual([...Array.from({ length: 7 }, () => REFUSED), "in"]);
    }
  },
);

graphqlClause("10.codes.recovery", "a recovery code is good once, instead of a code", async () => {
  const { email, recoveryCodes, authorization } = await withCodes(app);
  const [first = "", second = ""] = recoveryCodes;
  expect(await login(app, { email, code: first })).toBe("in");
  expect(await login(app, { email, code: first })).toBe(REFUSED);
  expect(await restLogin(app, email, PASSWORD + second)).toBe("in");
  const left = await told<{ recoveryCodesLeft: number }>(app, FACTORS, {}, authorization);
  expect(left.recoveryCodesLeft).toBe(8);
});

clause("10.codes.rest", "the end of the password is the code, for who has codes", async () => {
  const { email, secret, id } = await withCodes(app);
  expect(await restLogin(app, email, PASSWORD)).toBe(REFUSED);
  expect(await restLogin(app, email, PASSWORD + codeOf(secret, 3))).toBe(REFUSED);
  expect(await restLogin(app, email, PASSWORD + codeOf(secret))).toBe("in");
  // At GraphQL the code has a field of its own.
  await unused(app, { id });
  expect(await login(app, { email, password: PASSWORD + codeOf(secret) })).toBe(REFUSED);
});

clause("10.codes.rest", "passwords that end like codes stay passwords", async () => {
  const password = "steep for 123456";
  const { id, email } = await app.make.admin({ password });
  expect(await restLogin(app, email, password)).toBe("in");
  const { it } = await ask<{ accessToken: string }>(
    app,
    ["mutation", "login(input: $input) { accessToken }", "$input: LoginInput!"],
    { input: { email, password } },
  );
  const { secret } = await withCodes(app, {
    ...{ id, email, authorization: `Bearer ${it?.accessToken}` },
  });
  expect(await restLogin(app, email, password)).toBe(REFUSED);
  expect(await restLogin(app, email, password + codeOf(secret))).toBe("in");
});

clause("10.codes.rest", "bcrypt's 72 bytes are those before the code", async () => {
  const password = "t".repeat(72);
  const { id, email } = await app.make.admin({ password });
  const member = await signedIn(app);
  const { secret } = await withCodes(app, member);
  await app.sql("UPDATE one_time_codes SET admin_id = $1 WHERE admin_id = $2", [id, member.id]);
  expect(await restLogin(app, email, `${password}t${codeOf(secret)}`)).toBe(REFUSED);
  expect(await restLogin(app, email, password + codeOf(secret))).toBe("in");
});
