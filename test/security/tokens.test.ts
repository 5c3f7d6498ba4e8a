import { decode } from "jsonwebtoken";
import { startReplica, useApp, type TestApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { call, protectedOperations } from "../support/protected-operations";
import { tokenFor } from "../support/tokens";
import { execute } from "../graphql/client";
import { signed } from "./signing";

jest.setTimeout(60_000);

const OLD = "the secret of last year, of 32 characters or more";
const OLDER = "the secret of the year before, 32 characters or more";
const NEW = "the secret of this year, of 32 characters or more";

const app = useApp({ tokens: { secret: NEW, previousSecrets: [OLD, OLDER] } });

/** The statuses of a token at both doors. */
async function statusesOf(target: TestApp, token: string): Promise<[number, number]> {
  const rest = await call(target, protectedOperations["GET /orders"]!, `Bearer ${token}`);
  const query = "{ orders { meta { total } } }";
  const { body } = await execute(target, { query }, `Bearer ${token}`);
  return [rest.status, body.errors?.[0]?.extensions.http.statusCode ?? 200];
}

async function loginAt(target: TestApp, email: string, password = PASSWORD): Promise<string> {
  const { body } = await target.http.post("/auth/login").send({ email, password });
  return body.access_token;
}

describe("rotation of the secret", () => {
  test.each([
    ["current", NEW],
    ["previous", OLD],
    ["one before", OLDER],
  ])("the %s secret verifies", async (_label, secret) => {
    const admin = await app.make.admin();
    expect(await statusesOf(app, tokenFor(admin, secret))).toEqual([200, 200]);
  });

  test("a token of a previous secret is judged as any other", async () => {
    const admin = await app.make.admin();
    expect(await statusesOf(app, tokenFor(admin, OLD, { exp: 1 }))).toEqual([401, 401]);
    expect(await statusesOf(app, tokenFor(admin, OLD, { role: "EDITOR" }))).toEqual([403, 403]);
    expect(await statusesOf(app, tokenFor(admin, OLD, {}, { algorithm: "HS512" }))).toEqual([
      401, 401,
    ]);
  });

  test("new tokens are signed with the new secret alone", async () => {
    const { email } = await app.make.admin();
    const token = await loginAt(app, email);
    const onlyNew = await startReplica(app, { tokens: { previousSecrets: [] } });
    const onlyOld = await startReplica(app, { tokens: { secret: OLD, previousSecrets: [OLDER] } });
    try {
      expect(await statusesOf(onlyNew, token)).toEqual([200, 200]);
      expect(await statusesOf(onlyOld, token)).toEqual([401, 401]);
    } finally {
      await onlyNew.close();
      await onlyOld.close();
    }
  });

  test("replicas that are rolled one by one take each other's tokens", async () => {
    const { email } = await app.make.admin();
    const notYet = await startReplica(app, { tokens: { secret: OLD, previousSecrets: [NEW] } });
    try {
      expect(await statusesOf(app, await loginAt(notYet, email))).toEqual([200, 200]);
      expect(await statusesOf(notYet, await loginAt(app, email))).toEqual([200, 200]);
    } finally {
      await notYet.close();
    }
  });
});

describe("a change of the password", () => {
  const NEXT = "another horse, another battery";

  clause(
    "5.token.password",
    "a changed password ends older tokens at both doors, and only those of the account",
    { doors: ["REST", "GraphQL"] },
    async () => {
      const { email } = await app.make.admin();
      const other = await app.make.admin();
      const token = await loginAt(app, email);
      const othersToken = await loginAt(app, other.email);
      expect(await statusesOf(app, token)).toEqual([200, 200]);

      await app.shop.services.accounts.setPassword(email, NEXT);
      expect(await statusesOf(app, token)).toEqual([401, 401]);
      expect(await statusesOf(app, othersToken)).toEqual([200, 200]);
      expect(await statusesOf(app, await loginAt(app, email, NEXT))).toEqual([200, 200]);
    },
  );

  test("a token without the claim is taken: the claim is checked where it is present", async () => {
    const admin = await app.make.admin();
    const token = tokenFor(admin, NEW);
    await app.shop.services.accounts.setPassword(admin.email, NEXT);
    expect(await statusesOf(app, token)).toEqual([200, 200]);
  });
});

describe("a token outlived by its account's rights", () => {
  test.each([
    ["deactivated", "UPDATE admins SET is_active = false WHERE id = $1", 401],
    ["demoted", "UPDATE admins SET role = 'EDITOR' WHERE id = $1", 403],
    ["deleted", "DELETE FROM admins WHERE id = $1", 401],
  ])("is refused at once: %s", async (_label, change, status) => {
    const { id, email } = await app.make.admin();
    const token = await loginAt(app, email);
    expect(await statusesOf(app, token)).toEqual([200, 200]);
    await app.sql(change, [id]);
    expect(await statusesOf(app, token)).toEqual([status, status]);
  });

  test("stays refused when the account is active again", async () => {
    const { id, email } = await app.make.admin();
    const token = await loginAt(app, email);
    await app.sql("UPDATE admins SET is_active = false WHERE id = $1", [id]);
    await app.shop.services.accounts.setActive(email, true);
    expect(await statusesOf(app, token)).toEqual([401, 401]);
  });

  test("does not pass to an account that is made anew under the same address", async () => {
    const { id, email } = await app.make.admin();
    const token = await loginAt(app, email);
    await app.sql("DELETE FROM admins WHERE id = $1", [id]);
    await app.make.admin({ email });
    expect(await statusesOf(app, token)).toEqual([401, 401]);
  });
});

describe("the times of a token", () => {
  const DAY = 86_400;
  const NOW = Math.floor(Date.now() / 1000);

  /** The statuses of a token that claims these times and no others. */
  async function statusesWith(times: object): Promise<[number, number]> {
    const { id, email, role } = await app.make.admin();
    return statusesOf(app, signed({ id, sub: String(id), email, role, ...times }, NEW));
  }

  const odd = {
    text: "1",
    true: true,
    null: null,
    "an object": {},
  };
  const refusedOdd = Object.fromEntries(
    Object.entries(odd).map(([label, time]): [string, [unknown, number]] => [label, [time, 401]]),
  );

  clause("5.token.times", "exp and nbf need not be there", async () => {
    expect(await statusesWith({})).toEqual([200, 200]);
  });

  clauseEach<[time: unknown, status: number]>(
    "5.token.times",
    "exp is checked where it is present",
    { doors: ["REST", "GraphQL"] },
    {
      ahead: [NOW + DAY, 200],
      "ahead, with a fraction": [NOW + 600.5, 200],
      past: [NOW - 1, 401],
      "this very second": [NOW, 401],
      "0": [0, 401],
      negative: [-1, 401],
      ...refusedOdd,
      "text of a time ahead": [String(NOW + DAY), 401],
    },
    async ([exp, status]) => {
      expect(await statusesWith({ exp })).toEqual([status, status]);
    },
  );

  clauseEach<[time: unknown, status: number]>(
    "5.token.times",
    "nbf is checked where it is present",
    { doors: ["REST", "GraphQL"] },
    {
      past: [NOW - 1, 200],
      "0": [0, 200],
      negative: [-1, 200],
      ahead: [NOW + DAY, 401],
      ...refusedOdd,
    },
    async ([nbf, status]) => {
      expect(await statusesWith({ nbf })).toEqual([status, status]);
      expect(await statusesWith({ nbf, exp: NOW + 2 * DAY })).toEqual([status, status]);
    },
  );

  clauseEach<unknown>(
    "5.token.times",
    "iat is never checked",
    { doors: ["REST", "GraphQL"] },
    {
      past: NOW - 10 * 365 * DAY,
      ahead: NOW + 10 * 365 * DAY,
      "ahead of exp": NOW + 2 * DAY,
      "0": 0,
      negative: -1,
      "a fraction": 0.5,
      ...odd,
    },
    async (iat) => {
      expect(await statusesWith({ iat, exp: NOW + DAY })).toEqual([200, 200]);
      expect(await statusesWith({ iat })).toEqual([200, 200]);
      expect(await statusesWith({ iat, exp: NOW - 1 })).toEqual([401, 401]);
    },
  );
});

describe("a token that is issued", () => {
  clause(
    "5.token.claims",
    "a token says who it is for and when it ends, and nothing of the password",
    async () => {
      const { id, email } = await app.make.admin();
      const [stored] = await app.sql<{ password_hash: string }>(
        "SELECT password_hash FROM admins WHERE id = $1",
        [id],
      );
      const token = await loginAt(app, email);
      const claims = decode(token, { complete: true });
      expect(claims?.header).toEqual({ alg: "HS256", typ: "JWT" });
      const { iat } = claims?.payload as { iat: number };
      expect(claims?.payload).toEqual({
        id,
        email,
        role: "ADMIN",
        sub: String(id),
        iat,
        exp: iat + app.settings.tokens.ttl,
        auth_time: iat,
        sid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        credential: expect.stringMatching(/^[\w-]{22}$/),
      });
      const { credential } = claims?.payload as { credential: string };
      expect(stored!.password_hash).not.toContain(credential);
    },
  );
});
