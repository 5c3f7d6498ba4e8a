import type { Browser } from "playwright-core";
import { startApp, type TestApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { PASSWORD } from "../support/factories";
import { visit, type Visit } from "./visit";

let browser: Browser;
let app: TestApp;
let email: string;
let visits: Visit[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  app = await startApp();
  ({ email } = await app.make.admin());
}, 120_000);

afterEach(async () => {
  const complaints = visits.flatMap((each) => each.complaints);
  await Promise.all(visits.map((each) => each.close()));
  visits = [];
  expect(complaints).toEqual([]);
});

afterAll(async () => {
  await app?.close();
  await browser?.close();
});

async function visitApp(...[path, options]: [path?: string, options?: Parameters<typeof visit>[3]]) {
  const opened = await visit(browser, app.url, path, options);
  visits.push(opened);
  return opened;
}

test("an administrator signs in, works and signs out", async () => {
  const order = await app.make.order();
  const product = await app.make.product({ price: "10.00" });
  const explorer = await visitApp("/graphql");
  expect(explorer.page.url()).toBe(`${app.url}/explorer`);

  await explorer.signIn(email, "not the password");
  await explorer.sees("Invalid credentials");

  await explorer.signIn(email, PASSWORD);
  await explorer.sees(`Signed in as ${email} until`);


  await explorer.open("Today's orders");
  await explorer.run(order.customer_email).catch(async (e) => { await explorer.page.screenshot({path:"/tmp/explorer/fail.png"}); console.log(explorer.complaints); throw e; });

  await explorer.open("Change a price", { id: product.id, price: "12.50" });
  await explorer.run('"price": "12.50"');
  await explorer.open("Switch a product off", { id: product.id });
  await explorer.run('"isActive": false');
  const { body } = await app.http.get(`/products/${product.id}`).expect(200);
  expect(body).toMatchObject({ price: "12.50", isActive: false });
  await explorer.page.screenshot({ path: "/tmp/explorer/signed-in.png" });

  await explorer.page.getByRole("button", { name: "Sign out" }).click();
  await explorer.sees("Signed out");
  await explorer.run("Unauthorized").catch(async (e) => { await explorer.page.screenshot({path:"/tmp/explorer/fail.png"}); console.log(explorer.complaints); throw e; });
  await explorer.sees("Sign in to run this operation");
});
