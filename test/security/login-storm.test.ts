/** @check */

import { stat } from "node:fs/promises";
import { hashSync } from "bcrypt";
import { startApp, type TestApp } from "../support/app";
import { watchComparisons } from "../support/comparisons";
import { send, sendJson, type Answer } from "../support/raw-http";
import { errorBody } from "../support/refusals";

jest.setTimeout(60_000);

const LOGINS = 40;
const QUEUE_LIMIT = 6;
const COST = 12;

let app: TestApp;
beforeAll(async () => {
  app = await startApp({
    passwords: { cost: COST },
    login: { concurrency: 1, queueLimit: QUEUE_LIMIT },
    http: { trustProxy: 1 },
  });
  await app.make.admin({ password_hash: hashSync("nobody logs in here", COST) });
});
const comparisons = watchComparisons();
afterAll(async () => {
  comparisons.stop();
  await app.close();
});

// Comparisons of passwords fill libuv's four threads, which files and DNS share with them.
test("a storm of logins holds up nothing else, and is refused beyond the queue", async () => {
  const ended: string[] = [];
  const noted = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const result = await work;
    ended.push(name);
    return result;
  };
  const logins: Promise<Answer>[] = [];
  const queueIsFull = new Promise<void>((resolve) => {
    let answers = 0;
    for (let number = 1; number <= LOGINS; number += 1) {
      const body = JSON.stringify({ email: `nobody-${number}@example.com`, password: "guess" });
      const from = { "x-forwarded-for": `198.51.100.${number}` };
      const login = noted("login", sendJson(app.url, "POST", "/auth/login", body, from));
      logins.push(login);
      void login.then(() => {
        answers += 1;
        // One login is compared and the queue holds the next; the rest has been answered by now.
        if (answers === LOGINS - QUEUE_LIMIT - 1) resolve();
      });
    }
  });

  await queueIsFull;
  ended.length = 0;
  const [live, products, ready] = await Promise.all([
    noted("live", send(app.url, { method: "GET", path: "/health/live" })),
    noted("products", send(app.url, { method: "GET", path: "/products" })),
    noted("ready", send(app.url, { method: "GET", path: "/health/ready" })),
    noted("file", stat(__filename)),
  ]);
  const answers = await Promise.all(logins);

  expect([live.status, products.status, ready.status]).toEqual([200, 200, 200]);
  const lastLogin = ended.lastIndexOf("login");
  for (const name of ["live", "products", "ready", "file"]) {
    expect(ended.indexOf(name)).toBeLessThan(lastLogin);
  }

  const compared = answers.filter(({ status }) => status === 400);
  const refused = answers.filter(({ status }) => status === 503);
  expect(compared.length + refused.length).toBe(LOGINS);
  expect(compared.length).toBeGreaterThan(QUEUE_LIMIT);
  expect(comparisons.seen()).toEqual(
    Array(compared.length).fill({ password: "guess", work: 2 ** COST }),
  );
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers, body } of refused) {
    expect(headers["retry-after"]).toMatch(/^[1-9][0-9]*$/);
    expect(body).toEqual(errorBody(503));
  }
});

test("logins work again after the storm", async () => {
  const { email } = await app.make.admin({ password: "kettle on the stove" });
  const body = JSON.stringify({ email, password: "kettle on the stove" });
  const answer = await sendJson(app.url, "POST", "/auth/login", body);
  expect([answer.status, answer.body]).toEqual([200, { access_token: expect.any(String) }]);
});
