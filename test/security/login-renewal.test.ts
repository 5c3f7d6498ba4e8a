import { compareSync, hashSync } from "bcrypt";
import { PasswordThreads } from "../../src/services/administrators/passwords";
import { startApp, startReplica, type TestApp } from "../support/app";
import { watchComparisons } from "../support/comparisons";
import { PASSWORD } from "../support/factories";
import { call, protectedOperations } from "../support/protected-operations";
import { atRest, loginDoors, postLogin } from "./login";

const COST = 5;
const hashes = { cheaper: hashSync(PASSWORD, 4), dearer: hashSync(PASSWORD, 6) };
const NEXT = "another horse, another battery";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ passwords: { cost: COST } });
});
const comparisons = watchComparisons();
const renewals = jest.spyOn(PasswordThreads.prototype, "hash");
beforeEach(() => {
  comparisons.reset();
  renewals.mockClear();
});
afterAll(async () => {
  comparisons.stop();
  renewals.mockRestore();
  await app.close();
});

async function storedHash(email: string): Promise<string> {
  const [row] = await app.sql<{ password_hash: string }>(
    "SELECT password_hash FROM admins WHERE email = $1",
    [email],
  );
  return row!.password_hash;
}

const costOf = (hash: string) => Number(hash.split("$")[2]);

const tokenOf = (answer: { body: unknown }) =>
  (answer.body as { access_token: string }).access_token;

const statusOf = async (token: string) =>
  (await call(app, protectedOperations["GET /orders"]!, `Bearer ${token}`)).status;

/** Does this while the next hash is made, after all that decides about it was read. */
function duringNextRenewal(work: () => Promise<void>): void {
  renewals.mockImplementationOnce(async (password, cost) => {
    await work();
    return hashSync(password, cost);
  });
}

describe.each(Object.entries(hashes))(
  "a hash that is %s than new ones",
  (_label, password_hash) => {
    test.each(Object.entries(loginDoors))("is renewed at login: %s", async (_door, login) => {
      const { email } = await app.make.admin({ password_hash });
      expect(await login(app, { email })).toBe(200);
      const renewed = await storedHash(email);
      expect([costOf(renewed), compareSync(PASSWORD, renewed)]).toEqual([COST, true]);
      expect(await login(app, { email })).toBe(200);
      expect(await storedHash(email)).toBe(renewed);
      expect(renewals).toHaveBeenCalledTimes(1);
    });

    test("stays as it is after a wrong password, and where the account is inactive", async () => {
      const active = await app.make.admin({ password_hash });
      const inactive = await app.make.admin({ password_hash, is_active: false });
      expect(await atRest(app, { email: active.email, password: NEXT })).toBe(400);
      expect(await atRest(app, { email: active.email, password: "x".repeat(80) })).toBe(400);
      expect(await atRest(app, { email: inactive.email })).toBe(400);
      expect([await storedHash(active.email), await storedHash(inactive.email)]).toEqual([
        password_hash,
        password_hash,
      ]);
      expect(renewals).not.toHaveBeenCalled();
    });
  },
);

test("a renewal ends no session", async () => {
  const { email } = await app.make.admin({ password_hash: hashes.cheaper });
  const before = await startReplica(app, { passwords: { cost: 4 } });
  const older = tokenOf(await postLogin(before, { email }));
  await before.close();
  expect(await statusOf(older)).toBe(200);

  const newer = tokenOf(await postLogin(app, { email }));
  expect(await storedHash(email)).not.toBe(hashes.cheaper);
  expect([await statusOf(older), await statusOf(newer)]).toEqual([200, 200]);
});

test("a password that is changed meanwhile stays changed, and the old one is refused", async () => {
  const { email } = await app.make.admin({ password_hash: hashes.cheaper });
  const changed = hashSync(NEXT, COST);
  duringNextRenewal(async () => {
    await app.sql("UPDATE admins SET password_hash = $1 WHERE email = $2", [changed, email]);
  });
  expect(await atRest(app, { email })).toBe(400);
  expect(await storedHash(email)).toBe(changed);
  expect(comparisons.seen()).toHaveLength(2);
  expect(await atRest(app, { email, password: NEXT })).toBe(200);
});

test("an account that is deactivated meanwhile does not log in", async () => {
  const { email } = await app.make.admin({ password_hash: hashes.cheaper });
  duringNextRenewal(async () => {
    await app.sql("UPDATE admins SET is_active = false WHERE email = $1", [email]);
  });
  expect(await atRest(app, { email })).toBe(400);
  expect(await storedHash(email)).toBe(hashes.cheaper);
});

test("of two logins that renew at once both succeed, and both tokens are good", async () => {
  const { email } = await app.make.admin({ password_hash: hashes.cheaper });
  const replica = await startReplica(app);
  const tokens: string[] = [];
  duringNextRenewal(async () => {
    tokens.push(tokenOf(await postLogin(replica, { email })));
  });
  tokens.push(tokenOf(await postLogin(app, { email })));
  await replica.close();
  expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200]);
  expect(renewals).toHaveBeenCalledTimes(2);
});

/** Has the account changed each time that a login is about to renew its hash, as often as it is judged. */
function changingAgainAndAgain(email: string): void {
  const change = async () => {
    const other = hashSync(PASSWORD, 4);
    await app.sql("UPDATE admins SET password_hash = $1 WHERE email = $2", [other, email]);
  };
  for (let n = 0; n < 3; n += 1) duringNextRenewal(change);
}

test("an account that changes again and again is judged a few times, not without end", async () => {
  const { email } = await app.make.admin({ password_hash: hashes.cheaper });
  changingAgainAndAgain(email);
  const { status, headers } = await postLogin(app, { email });
  expect([status, headers["retry-after"]]).toEqual([503, "1"]);
  expect(comparisons.seen()).toHaveLength(3);
  expect(await atRest(app, { email })).toBe(200);
});
