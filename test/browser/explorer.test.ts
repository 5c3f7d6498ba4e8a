/** @check */

import type { Browser, Page } from "playwright-core";
import { startReplica, useApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { PASSWORD } from "../support/factories";
import { faultsIn } from "./accessibility";
import { watched, type Watched } from "./watched";

jest.setTimeout(60_000);

const app = useApp();
let browser: Browser;
let visit: Watched;
let page: Page;

beforeAll(async () => {
  browser = await launchChromium();
}, 120_000);
afterAll(() => browser.close());

async function open(url = app.url, hash = ""): Promise<void> {
  visit = await watched(browser, url);
  ({ page } = visit);
  await page.goto(`${url}/explorer${hash}`);
}

/** Whatever a test does, the browser has nothing to complain about. */
afterEach(async () => {
  await visit.close();
  expect(visit.complaints).toEqual([]);
});

async function signIn(password = PASSWORD): Promise<string> {
  const { email } = await app.make.admin();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  return email;
}

/** Runs the query of a tab. */
async function run(name: string): Promise<void> {
  const tab = page.getByRole("tab").filter({ has: page.getByText(name, { exact: true }) });
  await tab.click();
  await page.getByRole("region", { name: "Query Editor" }).getByText(name).first().waitFor();
  await page.getByRole("button", { name: /^Execute query/ }).click();
}

const answers = (text: string) =>
  page.getByRole("region", { name: "Result Window" }).getByText(text).first().waitFor();

test("the queries of docs/graphql.md are its first tabs, and run; the documentation is there", async () => {
  const category = await app.make.category({ is_active: true });
  await open();
  await run("Home");
  await answers(category.name);
  await page.getByRole("button", { name: "Show Documentation Explorer" }).click();
  await page.getByText("Root Types").waitFor();
  expect(await faultsIn(page, "header")).toEqual([]);
});

test("an administrator signs in for this tab, and runs what others may not", async () => {
  const subscriber = await app.make.subscriber();
  await open();
  await signIn("not the password");
  await page.getByText("Invalid credentials").waitFor();
  const email = await signIn();
  await page.getByText(`Signed in as ${email}`).waitFor();
  expect(await page.evaluate("JSON.stringify({ ...localStorage })")).not.toMatch(/eyJ|@/);
  await page.reload();
  await page.getByRole("tab").first().waitFor();
  expect(await page.getByRole("tab").count()).toBe(13);
  await run("Subscribers");
  await answers(subscriber.email);

  await page.getByRole("button", { name: "Sign out" }).click();
  expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).not.toContain("eyJ");
  await run("Subscribers");
  await answers("UNAUTHENTICATED");
});

test("where documents are trusted, one can sign in and read the schema", async () => {
  const trusting = await startReplica(app, { graphql: { documents: new Map() } });
  try {
    await open(trusting.url);
    await signIn();
    await page.getByText("Signed in as").waitFor();
    await run("Home");
    await answers("categories");
  } finally {
    await trusting.close();
  }
});

test("a token that the service refuses ends the session", async () => {
  await open();
  await signIn();
  await page.getByText("Signed in as").waitFor();
  await app.sql("UPDATE admins SET is_active = false");
  await run("Subscribers");
  await page.getByText("The session has ended: sign in again").waitFor();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

test.each([
  ["operation=OrderWithItems&variables=%7B%22id%22%3A12%7D", "orders/12/show"],
  ["operation=waiting+for+payment", "orders"],
  ["operation=ProductsOfCategory&variables=%7B%22categoryId%22%3A1%7D", "products"],
  ["operation=Deliveries", "webhooks"],
  ["operation=AuditLog", "audit-log"],
])("a link with %s leads to the page that replaces it", async (hash, target) => {
  visit = await watched(browser, app.url);
  ({ page } = visit);
  await page.route("**/admin/**", (route) => route.fulfill({ body: "" }));
  await page.goto(`${app.url}/explorer#${hash}`);
  await page.waitForURL(`${app.url}/admin/${target}`);
});
