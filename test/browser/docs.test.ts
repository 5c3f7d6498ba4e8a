import type { Browser, Page } from "playwright-core";
import { startApp, type TestApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { clause } from "../support/clause";
import { PASSWORD } from "../support/factories";
import { violationsIn } from "./accessibility";
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

test("it is dark where the browser is, and follows it", async () => {
  const grounds = async (root: string): Promise<string> => {
    await page.locator(root).waitFor();
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  };
  const light = await grounds("html:not(.dark-mode)");
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await grounds("html.dark-mode")).not.toBe(light);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await grounds("html:not(.dark-mode)")).toBe(light);
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

test.each(["light", "dark"] as const)(
  "axe finds nothing wrong with the pages, %s",
  async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(app.url);
    const check = async () => {
      const violations = await violationsIn(page, "html");
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    };
    await check();
    await page.goto(`${app.url}/docs`);
    await page.locator(".opblock-summary-control").first().waitFor();
    await check();
    await execute("categories");
    await page.locator('[id$="-login"] .opblock-summary-control').click();
    await check();
    await page.getByRole("button", { name: "Authorize" }).first().click();
    await page.locator(".dialog-ux").waitFor();
    await check();
  },
);

test("the home page looks like the explorer, in light and dark", async () => {
  const looks = async (path: string): Promise<unknown[]> => {
    await page.goto(`${app.url}${path}`);
    await page.getByRole("heading", { name: "Tea shop" }).waitFor();
    const shown: unknown[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      shown.push(
        await page.evaluate(`(() => {
          const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
          return { backgroundColor, color, fontFamily, icon: document.querySelector("h1 img").naturalWidth > 0 };
        })()`),
      );
    }
    return shown;
  };
  const [light, dark] = (await looks("/explorer")) as object[];
  expect(light).not.toEqual(dark);
  expect(await looks("/")).toEqual([light, dark].map((each) => ({ ...each, icon: true })));
});
