import { connect } from "../../src/database/connection/pool";
import { deleteExpiredSessions } from "../../src/services/record/retention";
import { leftBy } from "../record/entries";
import { startReplica, useApp, type TestApp } from "../support/app";
import { clause, graphqlClause, graphqlClauseEach } from "../support/clause";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { besideLock, waitingForLocks } from "../support/locks";
import { sendJson } from "../support/raw-http";
import { tokenFor } from "../support/tokens";
import { asks, loginAtRest, sidOf, type Asks } from "./asks";
import { change, NEXT, renew, statusesOf, tokenOf } from "./own-account";

jest.setTimeout(60_000);

const app = useApp();
/** Another process of the deployment. */
let other: TestApp;
let ask: Asks;
let account: { id: number; email: string };
beforeAll(async () => {
  other = await startReplica(app);
  ask = asks(app);
});
beforeEach(async () => {
  account = await app.make.admin();
});
afterAll(() => other.close());

const login = (): Promise<string> => tokenOf(app, account.email);

/** Whether a token is good, at both APIs of both processes. */
async function isGood(token: string): Promise<boolean> {
  const statuses = [...(await statusesOf(app, token)), ...(await statusesOf(other, token))];
  expect([
    [200, 200, 200, 200],
    [401, 401, 401, 401],
  ]).toContainEqual(statuses);
  return statuses[0] === 200;
}

const LIST = "{ sessions { id startedAt lastUsedAt endsAt address client isCurrent } }";

const listed = async (token: string) =>
  ((await ask(token, LIST)).data as { sessions: Record<string, unknown>[] }).sessions;

clause("10.sessions", "each login begins one", { doors: ["REST", "GraphQL"] }, async () => {
  const atRest = await loginAtRest(app, account.email, "x".repeat(300));
  const atGraphql = await login();
  const at = expect.stringMatching(/^2.*Z$/) as string;
  const common = { startedAt: at, lastUsedAt: at, endsAt: at, address: "127.0.0.1" };
  expect(await listed(atGraphql)).toEqual([
    { ...common, id: sidOf(atGraphql), client: null, isCurrent: true },
    { ...common, id: sidOf(atRest), client: "x".repeat(200), isCurrent: false },
  ]);
});

graphqlClause("10.sessions", "a renewal continues it, for all tabs that share it", async () => {
  const token = await login();
  const tabs = [token, (await renew(app, token)).token!, (await renew(other, token)).token!];
  expect(new Set(tabs.map(sidOf)).size).toBe(1);
  for (const each of tabs) expect(await isGood(each)).toBe(true);
  expect(await listed(token)).toHaveLength(1);
  expect((await ask(tabs[1]!, "mutation { logOut }")).data).toEqual({ logOut: true });
  for (const each of tabs) expect(await isGood(each)).toBe(false);
});

test("no renewal goes beyond its end, and one that expires at a process is not renewed at another", async () => {
  const token = await login();
  await app.sql("UPDATE sessions SET ends_at = now() + interval '1 minute' WHERE id = $1", [
    sidOf(token),
  ]);
  const renewed = (await renew(app, token)).token!;
  const { exp } = JSON.parse(Buffer.from(renewed.split(".")[1]!, "base64url").toString()) as {
    exp: number;
  };
  expect(exp).toBeLessThanOrEqual(Date.now() / 1000 + 60);
  await app.sql("UPDATE sessions SET ends_at = now() - interval '1 second' WHERE id = $1", [
    sidOf(token),
  ]);
  expect((await renew(other, token)).refusal?.code).toBe("UNAUTHENTICATED");
});

/** What ends a session, by the account's other token. */
const ends: Readonly<Record<string, (mine: string, theirs: string) => Promise<unknown>>> = {
  logOut: async (_mine, theirs) => {
    expect((await ask(theirs, "mutation { logOut }")).data).toEqual({ logOut: true });
  },
  endSession: async (mine, theirs) => {
    const end = `mutation { endSession(id: "${sidOf(theirs)}") }`;
    expect((await ask(mine, end)).data).toEqual({ endSession: true });
    expect((await ask(mine, end)).data).toEqual({ endSession: false });
  },
  endOtherSessions: async (mine) => {
    const end = "mutation { endOtherSessions }";
    expect((await ask(mine, end)).data).toEqual({ endOtherSessions: 1 });
  },
};

graphqlClauseEach(
  "10.sessions.ended",
  "its tokens end at once in two processes, copies and renewed ones too",
  ends,
  async (end) => {
    const [mine, theirs] = [await login(), await login()];
    const copy = (await renew(other, theirs)).token!;
    expect(await isGood(copy)).toBe(true);
    await end(mine, theirs);
    for (const each of [theirs, copy]) expect(await isGood(each)).toBe(false);
    expect((await renew(other, copy)).token).toBeUndefined();
    expect(await isGood(mine)).toBe(true);
    expect(await listed(mine)).toHaveLength(1);
  },
);

const endsOfAll: Readonly<Record<string, (token: string) => Promise<unknown>>> = {
  "a change of the password": (token) => change(app, { token }),
  "a password that is set": () => app.shop.services.accounts.setPassword(account.email, NEXT),
  "a deactivation": () => app.shop.services.accounts.setActive(account.email, false),
  "SQL that sets a password": () =>
    app.sql("UPDATE admins SET password_hash = 'x' WHERE id = $1", [account.id]),
};

graphqlClauseEach("10.sessions.ended", "all of an account end", endsOfAll, async (end) => {
  const tokens = [await login(), await login()];
  const bystander = await tokenOf(app, (await app.make.admin()).email);
  await end(tokens[0]!);
  for (const token of tokens) expect(await isGood(token)).toBe(false);
  expect(await isGood(bystander)).toBe(true);
});

graphqlClause("10.sessions.ended", "tokens of the release before go on", async () => {
  const old = tokenFor({ ...account, role: "ADMIN" }, app.settings.tokens.secret);
  expect(await isGood(old)).toBe(true);
  expect(await listed(old)).toEqual([]);
  expect((await ask(old, "mutation { logOut }")).data).toEqual({ logOut: false });
  const confirm = `mutation { confirmIdentity(password: "${PASSWORD}") }`;
  expect((await ask(old, confirm)).data).toEqual({ confirmIdentity: false });
  const { token } = await renew(app, old);
  expect(await listed(token!)).toEqual([expect.objectContaining({ id: sidOf(token!) })]);
  expect((await ask(old, "mutation { endOtherSessions }")).data).toEqual({ endOtherSessions: 1 });
  expect([await isGood(old), await isGood(token!)]).toEqual([true, false]);
});

test("nobody ends or sees the sessions of others", async () => {
  const token = await login();
  const stranger = await tokenOf(app, (await app.make.admin()).email);
  for (const id of [sidOf(token), "1", "", "x".repeat(5_000)]) {
    const end = `mutation { endSession(id: ${JSON.stringify(id)}) endProgramToken(id: ${JSON.stringify(id)}) }`;
    expect((await ask(stranger, end)).data).toEqual({ endSession: false, endProgramToken: false });
  }
  expect((await ask(stranger, "mutation { endOtherSessions }")).data).toEqual({
    endOtherSessions: 0,
  });
  expect(await listed(stranger)).toHaveLength(1);
  expect(await isGood(token)).toBe(true);
});

test("a login waits for a change of the password, and then checks the new one", async () => {
  const taken = `UPDATE admins SET password_hash = 'x' WHERE id = ${account.id}`;
  const status = await besideLock(app, taken, async (changing) => {
    const body = JSON.stringify({ email: account.email, password: PASSWORD });
    const answer = sendJson(app.url, "POST", "/auth/login", body);
    await eventually(async () => (await waitingForLocks(app)) > 0);
    await changing.query("COMMIT");
    return (await answer).status;
  });
  expect(status).toBe(400);
  expect(await app.sql("SELECT FROM sessions WHERE admin_id = $1", [account.id])).toEqual([]);
});

test("the last use is stored, once a minute, and no request waits for it", async () => {
  const token = await login();
  const id = sidOf(token);
  await app.sql("UPDATE sessions SET last_used_at = '2026-01-01T00:00:00Z' WHERE id = $1", [id]);
  await besideLock(app, `SELECT FROM sessions WHERE id = '${id}' FOR UPDATE`, async () => {
    expect(await isGood(token)).toBe(true);
  });
  const last = () =>
    app.sql<{ at: Date }>("SELECT last_used_at AS at FROM sessions WHERE id = $1", [id]);
  await eventually(async () => {
    await isGood(token);
    return (await last())[0]!.at.getTime() > Date.parse("2026-01-01T00:00:00Z");
  });
  const before = await last();
  await isGood(token);
  expect(await last()).toEqual(before);
});

test("expired ones are not listed, and are deleted a day later", async () => {
  const tokens = [await login(), await login(), await login()];
  for (const [n, age] of ["-1 minute", "1 minute", "25 hours"].entries()) {
    const id = sidOf(tokens[n]!);
    await app.sql("UPDATE sessions SET idle_until = now() - $2::interval WHERE id = $1", [id, age]);
  }
  expect(await listed(tokens[0]!)).toHaveLength(1);
  const pool = connect({ ...app.settings.database, poolSize: 1 });
  expect(await deleteExpiredSessions(pool)).toBe(1);
  await pool.close();
  const left = await app.sql("SELECT FROM sessions WHERE admin_id = $1", [account.id]);
  expect(left).toHaveLength(2);
});

graphqlClause(
  "10.sessions.audit",
  "what others end leaves an entry, and nothing else",
  async () => {
    const { left, result } = await leftBy(app, async () => {
      const [mine, first, second, last] = [
        await login(),
        await login(),
        await login(),
        await login(),
      ];
      await renew(app, mine);
      await ask(last, "mutation { logOut }");
      await ask(mine, `mutation { endSession(id: "${sidOf(first)}") endOtherSessions }`);
      await change(app, { token: mine });
      return [sidOf(first), sidOf(second)];
    });
    const by = { actor: account.email, subject: "ADMINISTRATOR", subjectId: account.id };
    const ended = (id: string | undefined) => [{ field: "session", before: id, after: null }];
    expect(left).toEqual([
      expect.objectContaining({ ...by, operation: "endSession", changes: ended(result[0]) }),
      expect.objectContaining({ ...by, operation: "endOtherSessions", changes: ended(result[1]) }),
      expect.objectContaining({ ...by, operation: "changePassword" }),
    ]);
  },
);
