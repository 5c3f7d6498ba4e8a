/** @check */

import { readFileSync } from "node:fs";
import type { BrowserContextOptions, Download, Locator, Page } from "playwright-core";
import { PASSWORD } from "../support/factories";
import { explorers } from "./explorers";
import { writeQuery, type Visit } from "./visit";

jest.setTimeout(60_000);

const ORDERS = `query Orders($page: Int! = 1) {
  orders(page: $page, pageSize: 50) {
    meta { total page totalPages }
    data { id customerEmail totalAmount status createdAt }
  }
}`;

const PRODUCTS = `query Products($page: Int! = 1, $sort: ProductSort) {
  products(page: $page, pageSize: 3, sort: $sort) {
    meta { total }
    data { name description price isActive category { name } }
  }
}`;

interface Order {
  readonly id: number;
  readonly customer_email: string;
  readonly status: string;
  readonly created_at: Date;
}

const shop = explorers();
const { app } = shop;
let explorer: Visit;
let orders: Order[];

const LONG = "A tea that takes long to tell of. ".repeat(150).slice(0, 5000);

beforeAll(async () => {
  orders = await app.sql<Order>(`
    INSERT INTO orders (customer_email, total_amount, status, created_at)
    SELECT 'customer-' || n || '@example.com', n + 0.5,
      (ARRAY['PENDING', 'PAID', 'CANCELLED'])[n % 3 + 1]::order_status,
      timestamptz '2026-01-31 09:30Z' - n * interval '1 minute'
    FROM generate_series(1, 120) AS n RETURNING *`);
  const { id } = await app.make.category({ name: 'Green, "fine"' });
  const product = (name: string, description: string, price: string) =>
    app.make.product({ name, description, price, category_id: id, is_active: price !== "2.00" });
  await product("=HYPERLINK(1)", LONG, "1.00");
  await product("שלום עולם", "+1", "2.00");
  await product("龍井茶", 'say "tea"\nand drink', "3.00");
  await product("Zhejiang", "", "4.00");
}, 120_000);

/** The explorer with answers as tables, for an administrator in Berlin. */
async function opened(options: BrowserContextOptions = {}): Promise<Page> {
  const context = { asJson: false, timezoneId: "Europe/Berlin", ...options };
  explorer = await shop.opened(app.url, "", context);
  await explorer.page.getByText("Run the operation").waitFor();
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.page.getByRole("tab", { name: "Waiting for payment", selected: true }).waitFor();
  await explorer.page.getByRole("table").waitFor();
  return explorer.page;
}

/** Puts an operation with a name into the editor and runs it. */
async function ask(page: Page, query: string): Promise<void> {
  await writeQuery(page, query);
  await page.keyboard.press("ControlOrMeta+Enter");
}

const heading = (page: Page, text: string) => page.getByRole("heading", { name: text });

/** The values in the first table's rows, as a person reads them. */
const cells = (page: Page): Promise<string[][]> =>
  page.evaluate<string[][]>(`Array.from(document.querySelector("table").tBodies[0].rows, (row) =>
    Array.from(row.cells)
      .filter((cell) => !cell.matches(".select, .row-end"))
      .map((cell) => cell.innerText))`);

/** Whether the element has the focus. */
const hasFocus = (element: Locator): Promise<boolean> =>
  element.and(element.page().locator(":focus")).isVisible();

const textOf = async (download: Download): Promise<string> =>
  readFileSync(await download.path(), "utf8");

async function downloaded(page: Page): Promise<Download> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download CSV" }).click(),
  ]);
  return download;
}

test("a list is read page by page, and downloaded as a whole", async () => {
  const page = await opened();
  await ask(page, ORDERS);
  await heading(page, "Orders, 1–50 of 120").waitFor();

  expect(await page.getByRole("columnheader").allInnerTexts()).toEqual([
    "Id",
    "Customer email",
    "Total amount",
    "Status",
    "Created at",
    "Actions",
  ]);
  const shown = await cells(page);
  expect(shown).toHaveLength(50);
  expect(shown.slice(0, 3)).toEqual([
    [`${orders[0]!.id}`, "customer-1@example.com", "1.50", "Paid", "31 Jan 2026, 10:29"],
    [`${orders[1]!.id}`, "customer-2@example.com", "2.50", "Cancelled", "31 Jan 2026, 10:28"],
    [`${orders[2]!.id}`, "customer-3@example.com", "3.50", "Pending", "31 Jan 2026, 10:27"],
  ]);
  const instant = page.locator("time[datetime='2026-01-31T09:29:00.000Z']");
  expect(await instant.getAttribute("title")).toBe("2026-01-31T09:29:00.000Z");
  const next = page.getByRole("button", { name: "Next", exact: true });
  await next.press("Enter");
  await heading(page, "Orders, 51–100 of 120").waitFor();
  expect(await hasFocus(next)).toBe(true);
  await page.getByText("Page 2 of 3").waitFor();
  await next.press("Enter");
  await heading(page, "Orders, 101–120 of 120").waitFor();
  expect(await next.getAttribute("aria-disabled")).toBe("true");
  await page.getByRole("button", { name: "Previous" }).press("Enter");
  await heading(page, "Orders, 51–100 of 120").waitFor();

  const download = await downloaded(page);
  expect(download.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/);
  const lines = orders.map(
    ({ id, customer_email, status, created_at }, index) =>
      `${id},${customer_email},${index + 1}.50,${status},${created_at.toISOString()}\r\n`,
  );
  expect(await textOf(download)).toBe(
    `\uFEFFId,Customer email,Total amount,Status,Created at\r\n${lines.join("")}`,
  );
  await heading(page, "Orders, 51–100 of 120").waitFor();
});

test("a list is sorted by its headers, and tells odd texts as they are", async () => {
  const page = await opened();
  await ask(page, PRODUCTS);
  await heading(page, "Products, 1–3 of 4").waitFor();
  const name = page.getByRole("columnheader", { name: "Name", exact: true });
  const names = async () => (await cells(page)).map(([first]) => first);
  expect(await name.getAttribute("aria-sort")).toBe("none");
  expect(
    await page.getByRole("columnheader", { name: "Category name" }).getAttribute("aria-sort"),
  ).toBeNull();

  const price = page.getByRole("button", { name: "Price" });
  await price.click();
  await page.locator("th[aria-sort=ascending]").waitFor();
  expect(await names()).toEqual(["=HYPERLINK(1)", "שלום עולם", "龍井茶"]);
  await page.getByRole("button", { name: "Next", exact: true }).click();
  await heading(page, "Products, 4–4 of 4").waitFor();
  await price.press("Enter");
  await page.locator("th[aria-sort=descending]").waitFor();
  expect(await names()).toEqual(["Zhejiang", "龍井茶", "שלום עולם"]);
  expect((await cells(page)).map((row) => row[3])).toEqual(["Yes", "Yes", "No"]);

  const sorted = await textOf(await downloaded(page));
  const category = '"Green, ""fine"""';
  expect(sorted).toBe(
    [
      "\uFEFFName,Description,Price,Is active,Category name",
      `Zhejiang,,4.00,true,${category}`,
      `龍井茶,"say ""tea""\nand drink",3.00,true,${category}`,
      `שלום עולם,'+1,2.00,false,${category}`,
      `'=HYPERLINK(1),${LONG},1.00,true,${category}`,
      "",
    ].join("\r\n"),
  );

  await price.click();
  const more = page.getByRole("button", { name: "Show all: Description" });
  await more.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Description" });
  expect(await dialog.getByRole("group").textContent()).toBe(LONG);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await hasFocus(more)).toBe(true);
});

test("a file whose page fails can be continued", async () => {
  const page = await opened();
  await ask(page, ORDERS);
  await heading(page, "Orders, 1–50 of 120").waitFor();
  await page.route("**/graphql", (route) =>
    route.request().postData()?.includes('"page":2') ? route.abort() : route.continue(),
  );
  await page.getByRole("button", { name: "Download CSV" }).press("Enter");
  await page.getByText("The service can't be reached").waitFor();
  await page.unroute("**/graphql");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Retry" }).click(),
  ]);
  expect((await textOf(download)).split("\r\n")).toHaveLength(122);
  // The browser reports the request that the test has refused.
  expect(explorer.complaints.splice(0).join()).toContain("ERR_FAILED");
});

test("a file is for spreadsheets with decimal commas where the browser's language writes 12,50", async () => {
  const page = await opened({ locale: "de-DE" });
  await ask(page, PRODUCTS);
  await heading(page, "Products, 1–3 of 4").waitFor();
  const category = '"Green, ""fine"""';
  expect(await textOf(await downloaded(page))).toBe(
    [
      "\uFEFFName;Description;Price;Is active;Category name",
      `Zhejiang;;4,00;true;${category}`,
      `龍井茶;"say ""tea""\nand drink";3,00;true;${category}`,
      `שלום עולם;'+1;2,00;false;${category}`,
      `'=HYPERLINK(1);${LONG};1,00;true;${category}`,
      "",
    ].join("\r\n"),
  );
});
