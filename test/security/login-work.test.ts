/** @check */

import { hashSync } from "bcrypt";
import { startApp, startReplica, type TestApp } from "../support/app";
import { watchComparisons } from "../support/comparisons";
import { PASSWORD } from "../support/factories";
import { loginDoors, postLogin, WRONG } from "./login";

jest.setTimeout(60_000);

// A comparison of cost c is 2^c steps of work, which takes as long wherever it is done.

const COSTS = [4, 5, 7];
const DEAREST = 7;
const hashes = new Map(COSTS.map((cost) => [cost, hashSync(PASSWORD, cost)]));

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ passwords: { cost: 6 } });
});
const comparisons = watchComparisons();
beforeEach(async () => {
  await app.sql("DELETE FROM admins");
  comparisons.reset();
});
afterAll(async () => {
  comparisons.stop();
  await app.close();
});

const makeAdmin = (cost: number, is_active = true) =>
  app.make.admin({ password_hash: hashes.get(cost)!, is_active });

describe.each(Object.entries(loginDoors))("a failed login at %s", (_door, login) => {
  test("takes one comparison, with the work of the dearest hash, whatever it fails for", async () => {
    const emails = ["nobody@example.com"];
    for (const cost of COSTS) {
      emails.push((await makeAdmin(cost)).email, (await makeAdmin(cost, false)).email);
    }
    for (const email of emails) {
      comparisons.reset();
      expect([email, await login(app, { email, password: WRONG })]).toEqual([email, 400]);
      expect(comparisons.seen()).toEqual([{ password: WRONG, work: 2 ** DEAREST }]);
    }
  });

  test("takes the work of a new hash where none is stored", async () => {
    expect(await login(app, { email: "nobody@example.com", password: WRONG })).toBe(400);
    expect(comparisons.seen()).toEqual([
      { password: WRONG, work: 2 ** app.settings.passwords.cost },
    ]);
  });
});

test("a password of more bytes than bcrypt reads takes the same work", async () => {
  await makeAdmin(DEAREST);
  const { email } = await makeAdmin(4);
  const password = "x".repeat(100);
  expect((await postLogin(app, { email, password })).status).toBe(400);
  expect(comparisons.seen()).toEqual([{ password, work: 2 ** DEAREST }]);
});

test.each([
  ["no hash", "secret"],
  ["a cost that bcrypt refuses", hashSync(PASSWORD, 5).replace("$05$", "$99$")],
  ["the hash of another algorithm", "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$aGFzaA"],
])("an account with %s for a hash can't log in, after the same work", async (_label, stored) => {
  await makeAdmin(DEAREST);
  const { email } = await app.make.admin({ password_hash: stored });
  for (const password of [PASSWORD, stored || WRONG]) {
    comparisons.reset();
    expect((await postLogin(app, { email, password })).status).toBe(400);
    expect(comparisons.seen()).toEqual([{ password, work: 2 ** DEAREST }]);
  }
});

test("the right password of a cheap hash takes the same work as a wrong one", async () => {
  await makeAdmin(DEAREST);
  const { email } = await makeAdmin(4);
  expect((await postLogin(app, { email })).status).toBe(200);
  expect(comparisons.seen()).toEqual([{ password: PASSWORD, work: 2 ** DEAREST }]);
});

test("as soon as a dearer hash is stored, by another replica too, its work is done", async () => {
  const dearer = await startReplica(app, { passwords: { cost: 8 } });
  try {
    const { email } = await makeAdmin(4);
    const attempt = { email: "nobody@example.com", password: WRONG };
    await postLogin(app, attempt);
    await dearer.shop.services.accounts.setPassword(email, PASSWORD);
    await postLogin(app, attempt);
    expect(comparisons.seen().map(({ work }) => work)).toEqual([2 ** 4, 2 ** 8]);
  } finally {
    await dearer.close();
  }
});
