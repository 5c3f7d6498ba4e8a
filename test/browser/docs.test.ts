import type { Browser, Page } from "playwright-core";
import { startApp, type TestApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { clause } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { watched, type Watched } from "./watched";

jest.setTimeout(60_000);

let browser: Browser;
let app: TestApp;
let docs: Watched;
let page: Page;
const started: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  started.push((browser = await launchChromium()));
  started.push((app = await startApp()));
  docs = await watched(browser, app.url);
  ({ page } = docs);
  await page.goto(`${app.url}/docs`);
}, 120_000);

/** Whatever a test does, the browser has nothing to complain about. */
afterEach(() => {
  expect(docs.complaints.splice(0)).toEqual([]);
});

afterAll(async () => {
  for (const each of started) await each.close();
});

/** Executes an operation of the page, and returns the status and the text of its answer. */
async function execute(id: string, body?: object): Promise<[status: string, text: string]> {
  const operation = page.locator(`[id$="-${id}"]`);
  await operation.locator(".opblock-summary-control").click();
  if (body) await operation.locator("textarea.body-param__text").fill(JSON.stringify(body));
  await operation.getByRole("button", { name: "Execute" }).click();
  const answer = operation.locator(".live-responses-table tbody tr").first();
  const status = await answer.locator(".response-col_status").first().innerText();
  return [status.trim(), await answer.locator(".microlight").first().innerText()];
}

clause("11.docs", "it lists every tag, and executes a public operation", async () => {
  const { name } = await app.make.category();
  for (const tag of ["Categories", "Products", "Orders", "Administrators", "Service"]) {
    await page.getByRole("heading", { name: tag, exact: false }).first().waitFor();
  }
  const [status, text] = await execute("categories");
  expect([status, text]).toEqual(["200", expect.stringContaining(name)]);
});

clause("11.docs", "a login that is tried signs in", async () => {
  const { email } = await app.make.admin();
  expect((await execute("login", { email, password: PASSWORD }))[0]).toBe("200");
  const [status, text] = await execute("createCategory", { name: "Yellow tea" });
  expect([status, text]).toEqual(["201", expect.stringContaining("yellow-tea")]);
});

clause("11.docs", "a token that is given to it signs in", async () => {
  await page.goto(`${app.url}/docs`); // where nobody is signed in
  await page.getByRole("button", { name: "Authorize" }).click();
  const dialog = page.locator(".dialog-ux");
  await dialog.locator("input").fill(app.asAdmin.replace("Bearer ", ""));
  await dialog.getByRole("button", { name: "Apply credentials" }).click();
  await dialog.getByRole("button", { name: "Close" }).click();
  const [status, text] = await execute("createCategory", { name: "White tea" });
  expect([status, text]).toEqual(["201", expect.stringContaining("white-tea")]);
});
