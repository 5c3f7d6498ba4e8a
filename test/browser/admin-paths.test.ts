/** @check */

import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { admins, counted } from "./admins";

jest.setTimeout(60_000);

const shop = admins();
const { app } = shop;

beforeEach(async () => {
  for (const table of ["order_items", "orders", "products", "categories"])
    await app.sql(`DELETE FROM ${table}`);
});

const hasFocus = (page: Page, label: string) =>
  page
    .locator("main :focus")
    .and(page.getByRole("textbox", { name: label }))
    .waitFor();

test("a customer is found by three letters in three actions", async () => {
  await app.make.order({ customer_email: "rosa.delgado@example.org" });
  const page = await shop.signedIn();
  const { press, type, count } = counted(page);

  await press("/");
  await type("del");
  await press("Enter");
  await page.waitForURL(/customers\/rosa\.delgado/);

  expect(count()).toBeLessThanOrEqual(3);
});

test("a price is changed by search in five actions, and the mistake undone in two", async () => {
  const { id } = await app.make.product({ name: "Sencha", price: "13.20" });
  const page = await shop.signedIn();
  const { press, type, count } = counted(page);
  const prices = () => app.sql("SELECT price FROM products WHERE id = $1", [id]);

  await press("/");
  await type("sencha");
  await press("Enter");
  await hasFocus(page, "Price");
  await type("132");
  await press("Enter");
  await page.getByText("Saved").waitFor();
  expect(count()).toBeLessThanOrEqual(5);
  expect(await prices()).toEqual([{ price: "132.00" }]);

  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("Undone").waitFor();
  expect(await prices()).toEqual([{ price: "13.20" }]);
});

test("a new product whose address is taken is there in nine actions", async () => {
  await app.make.product({ name: "Sencha", slug: "sencha" });
  await app.make.category({ name: "Green" });
  const page = await shop.signedIn();
  const { click, press, type, count } = counted(page);

  await click("New product", "link");
  await hasFocus(page, "Name");
  await type("Sencha");
  await press("Tab");
  await type("13,20");
  await press("Tab");
  await type("green");
  await page.getByRole("option", { name: "Green" }).waitFor();
  await click("Save");
  await page.getByText("is taken").waitFor();
  await hasFocus(page, "Address in the shop");
  await type("sencha-green");
  await press("Enter");
  await page.getByRole("heading", { level: 1, name: "Sencha" }).waitFor();

  expect(count()).toBeLessThanOrEqual(9);
  expect(await app.sql("SELECT name, price FROM products WHERE slug = 'sencha-green'")).toEqual([
    { name: "Sencha", price: "13.20" },
  ]);
});

test("by keyboard alone one order is paid in twelve actions", async () => {
  const { id } = await app.make.order();
  const page = await shop.signedIn();
  const { press, type, count } = counted(page);

  await press("/");
  await type(`${id}`);
  await press("Enter");
  await page.getByRole("button", { name: "Mark paid" }).waitFor();
  for (let tabs = 0; tabs < 8; tabs += 1) {
    await press("Tab");
    if ((await page.locator(":focus").innerText()) === "Mark paid") break;
  }
  await press("Enter");
  await page.getByText(`Order ${id} is paid`).waitFor();

  expect(count()).toBeLessThanOrEqual(12);
});

test("last month's orders are a file in four actions", async () => {
  const now = new Date();
  const lastMonth = new Date(now.getFullYear(), now.getMonth() - 1, 15, 12);
  const { customer_email } = await app.make.order({ created_at: lastMonth });
  await app.make.order();
  const page = await shop.signedIn();
  const { click, count } = counted(page);

  await click("Orders", "link");
  await click("Last month");
  await page.getByText("1 in all").waitFor();
  await click("Export");
  const [file] = await Promise.all([page.waitForEvent("download"), click("Save file")]);
  const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");

  expect(count()).toBeLessThanOrEqual(4);
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(customer_email);
});
