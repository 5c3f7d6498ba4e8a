import { startReplica, useApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { extensionsOf } from "../support/refusals";
import { tokenFor } from "../support/tokens";
import { claimsOf, type Account } from "./forged-tokens";
import { postLogin } from "./login";
import { change, claimsIn, NEXT, renew, statusesOf, tokenOf } from "./own-account";
import { signed } from "./signing";

const TTL = 3600;
const LOGIN_TTL = 43_200;
const PREVIOUS = "the secret of last year, of 32 characters or more";

let account: Account;
const app = useApp({ tokens: { previousSecrets: [PREVIOUS] } });
beforeEach(async () => {
  account = (await app.make.admin()) as Account;
});

const now = (): number => Math.floor(Date.now() / 1000);

/** A good token of the account with other claims; undefined leaves one out. */
const claiming = (claims: object, secret = app.settings.tokens.secret): string =>
  signed(claimsOf(account, claims), secret);

const unauthenticated = { token: undefined, refusal: extensionsOf(401) };

const restToken = async (shop: TestApp): Promise<string> =>
  ((await postLogin(shop, account)).body as { access_token: string }).access_token;

clause(
  "5.token.claims",
  "a token says when its login was, at both doors",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const before = now();
    for (const token of [await restToken(app), await tokenOf(app, account.email)]) {
      const { iat, exp, auth_time } = claimsIn(token);
      expect([auth_time, exp]).toEqual([iat, iat + TTL]);
      expect(auth_time).toBeGreaterThanOrEqual(before);
      expect(auth_time).toBeLessThanOrEqual(now());
    }
  },
);

clause(
  "10.renew",
  "a renewed token is of the same login, and says what the account is now",
  { doors: ["GraphQL"] },
  async () => {
    const first = claiming({ auth_time: now() - 1000, iat: now() - 1000 });
    const email = `renamed-${account.email}`;
    await app.sql("UPDATE admins SET email = $1 WHERE id = $2", [email, account.id]);
    const before = now();
    const { token, refusal } = await renew(app, first);
    expect(refusal).toBeUndefined();
    const { iat, exp, ...claims } = claimsIn(token);
    const { auth_time, credential } = claimsIn(first);
    expect(claims).toEqual({
      ...{ id: account.id, sub: String(account.id), email, role: "ADMIN" },
      ...{ auth_time, credential, sid: expect.any(String) },
    });
    expect(exp).toBe(iat + TTL);
    expect(iat).toBeGreaterThanOrEqual(before);
    for (const each of [first, token!]) expect(await statusesOf(app, each)).toEqual([200, 200]);
  },
);

clause(
  "10.renew",
  "the time of the login is copied over many renewals, which end with its lifetime",
  { doors: ["GraphQL"] },
  async () => {
    const auth_time = now() - LOGIN_TTL + 600;
    let token: string | undefined = claiming({ auth_time });
    for (let turn = 0; turn < 20; turn += 1) {
      ({ token } = await renew(app, token!));
      expect(claimsIn(token)).toMatchObject({ auth_time, exp: auth_time + LOGIN_TTL });
    }
    expect(await statusesOf(app, token!)).toEqual([200, 200]);
  },
);

clauseEach<number>(
  "5.token.login",
  "no renewed token ends later than its login",
  { doors: ["GraphQL"] },
  {
    "just logged in": 0,
    "a lifetime of a token before the end": LOGIN_TTL - TTL,
    "shortly before the end": LOGIN_TTL - 60,
  },
  async (age) => {
    const auth_time = now() - age;
    const { iat, exp } = claimsIn((await renew(app, claiming({ auth_time }))).token);
    expect(exp).toBe(Math.min(iat + TTL, auth_time + LOGIN_TTL));
  },
);

clause(
  "5.token.login",
  "where logins live shorter than tokens, tokens of a login end with it at once",
  { doors: ["REST", "GraphQL"] },
  async () => {
    const brief = await startReplica(app, { tokens: { loginTtl: 600 } });
    try {
      const tokens = [await restToken(brief), await tokenOf(brief, account.email)];
      tokens.push((await renew(brief, tokens[0]!)).token!);
      tokens.push((await change(brief, { token: tokens[0]!, next: PASSWORD })).token!);
      for (const { auth_time, exp } of tokens.map(claimsIn)) expect(exp).toBe(auth_time + 600);
    } finally {
      await brief.close();
    }
  },
);

clauseEach<() => unknown>(
  "10.renew.refused",
  "a token that does not say when its login was, or whose login is over, can't be renewed",
  { doors: ["GraphQL"] },
  {
    missing: () => undefined,
    text: () => String(now()),
    "a fraction": () => now() - 0.5,
    null: () => null,
    "an object": () => ({ $gt: 0 }),
    "in the future": () => now() + 60,
    "in milliseconds": () => Date.now(),
    "beyond exact numbers": () => -(2 ** 53),
    "0": () => 0,
    "a lifetime ago": () => now() - LOGIN_TTL,
  },
  async (timeOf) => {
    const token = claiming({ auth_time: timeOf() });
    expect(await renew(app, token)).toEqual(unauthenticated);
    // It is as good as ever for everything else.
    expect(await statusesOf(app, token)).toEqual([200, 200]);
  },
);

clause(
  "10.renew.refused",
  "what is no valid token can't be renewed",
  { doors: ["GraphQL"] },
  async () => {
    const bad = ["x.y.z", claiming({ exp: 1 }), claiming({ id: 0 }), claiming({}, "forged")];
    for (const token of bad) expect(await renew(app, token)).toEqual(unauthenticated);
  },
);

test("a token of another role, or of an account that has lost it, can't be renewed", async () => {
  const forbidden = { token: undefined, refusal: extensionsOf(403, "Forbidden resource") };
  expect(await renew(app, claiming({ role: "EDITOR" }))).toEqual(forbidden);
  const token = claiming({});
  await app.sql("UPDATE admins SET role = 'EDITOR' WHERE id = $1", [account.id]);
  expect(await renew(app, token)).toEqual(forbidden);
});

test("the tokens of a deactivated account can't be renewed, nor can those of an older password", async () => {
  const token = await tokenOf(app, account.email);
  await app.sql("UPDATE admins SET is_active = false WHERE id = $1", [account.id]);
  expect(await renew(app, token)).toEqual(unauthenticated);
  await app.sql("UPDATE admins SET is_active = true WHERE id = $1", [account.id]);
  const next = await tokenOf(app, account.email);
  await app.shop.services.accounts.setPassword(account.email, NEXT);
  expect(await renew(app, next)).toEqual(unauthenticated);
});

test("a token that is tied to no password is tied to the account's when it is renewed", async () => {
  const renewed = (await renew(app, tokenFor(account, app.settings.tokens.secret))).token;
  expect(claimsIn(renewed).credential).toBe(claimsIn(claiming({})).credential);
});

test("a token of a previous secret is renewed under the new one", async () => {
  const renewed = (await renew(app, claiming({}, PREVIOUS))).token!;
  const later = await startReplica(app, { tokens: { previousSecrets: [] } });
  expect(await statusesOf(later, renewed)).toEqual([200, 200]);
  await later.close();
});
