/** @check */

import type { Page } from "playwright-core";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { faultsIn } from "./accessibility";
import { admins, signIn } from "./admins";

jest.setTimeout(300_000);

const shop = admins();
const { app } = shop;

beforeEach(async () => {
  for (const table of ["order_items", "orders", "products", "categories"])
    await app.sql(`DELETE FROM ${table}`);
});

const dialog = (page: Page) => page.getByRole("dialog");

const priceOf = async (id: number) =>
  (await app.sql<{ price: string }>("SELECT price FROM products WHERE id = $1", [id]))[0]?.price;

test.each([
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
])("axe finds nothing serious in any page at %j, light and dark", async (viewport) => {
  const { id: product, category_id } = await app.make.product();
  const { id: order } = await app.make.order();
  const page = await shop.opened("", { viewport });
  const faults: Record<string, string[]> = {};
  const look = async (name: string) => {
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      const found = await faultsIn(page);
      if (found.length > 0) faults[`${name}, ${colorScheme}`] = found;
    }
  };

  await page.getByLabel("E-mail").waitFor();
  await look("sign in");
  await signIn(page, shop.email);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  const paths = ["", "/orders", `/orders/${order}/show`, "/products", `/products/${product}`];
  const others = ["/products/create", "/categories", `/categories/${category_id}`, "/account"];
  const lists = [
    "/customers",
    "/newsletter",
    "/webhooks",
    "/webhooks/create",
    "/events",
    "/audit-log",
    "/import",
  ];
  for (const path of [...paths, ...others, ...lists]) {
    await page.goto(`${app.url}/admin${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await look(path);
  }
  await page.goto(`${app.url}/admin/orders`);
  await page.getByLabel("Select all on this page").check();
  await page.getByRole("button", { name: "Cancel order" }).click();
  await dialog(page).waitFor();
  await look("question");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Columns" }).click();
  await dialog(page).waitFor();
  await look("columns");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("pro");
  await page.getByRole("option").first().waitFor();
  await look("search");

  expect(faults).toEqual({});
});

test("the address of a list is its state: conditions, sorting, columns; back and reload show the same", async () => {
  const { id } = await app.make.order({ customer_email: "ada@example.com", status: "PAID" });
  await app.make.order({ customer_email: "bob@example.com" });
  const page = await shop.signedIn("/orders");

  await page.getByRole("button", { name: "Paid", exact: true }).click();
  await page.getByText("1 in all").waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("button", { name: "Sum" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("columnheader", { name: "Sum" }).waitFor({ state: "detached" });
  await page.reload();
  await page.getByText("ada@example.com").waitFor();
  expect(await page.getByRole("columnheader").allInnerTexts()).not.toContain("Sum");

  await page.getByRole("link", { name: String(id), exact: true }).click();
  await page.getByRole("heading", { name: `Order ${id}` }).waitFor();
  await page.goBack();
  await page.getByText("1 in all").waitFor();
});

test("a half-typed or impossible date is told at the field", async () => {
  await app.make.order();
  const page = await shop.signedIn("/orders");
  await page.getByRole("button", { name: "From–to" }).click();

  await page.getByLabel("From", { exact: true }).click();
  await page.keyboard.type("11");
  await page.getByRole("heading", { name: "Orders" }).click();
  await page.getByText("This is not a whole date").waitFor();

  await page.goto(`${app.url}/admin/orders?filter={"from":"2026-02-31x"}`);
  await page.getByText("This is not a date.").first().waitFor();
});

test("new orders appear above without losing a selection", async () => {
  const { id } = await app.make.order();
  const page = await shop.signedIn("/orders");
  await page.getByLabel(`Select Order ${id}`).check();
  await page.getByRole("heading", { name: "Orders" }).click();

  const { id: next } = await app.make.order();
  await page.getByText("One new order").waitFor();
  await page.getByRole("link", { name: String(next), exact: true }).waitFor();
  expect(await page.getByLabel(`Select Order ${id}`).isChecked()).toBe(true);
});

test("who saves what somebody else has changed sees by field what there is, and decides", async () => {
  const { id } = await app.make.product({ name: "Sencha", price: "10.00" });
  const page = await shop.signedIn(`/products/${id}`);
  await page.getByRole("textbox", { name: "Price" }).fill("12");
  await app.sql("UPDATE products SET price = 11, name = 'Sencha Fine' WHERE id = $1", [id]);
  await page.getByRole("button", { name: "Save" }).click();

  const rows = dialog(page).getByRole("row");
  await dialog(page).getByText("Sencha Fine").waitFor();
  expect(await rows.nth(2).getByRole("cell").allInnerTexts()).toEqual(["10.00", "11.00", "12"]);
  await dialog(page).getByRole("button", { name: "Save what you want" }).click();
  await eventually(async () => (await priceOf(id)) === "12.00");
  expect(await app.sql("SELECT name FROM products WHERE id = $1", [id])).toEqual([
    { name: "Sencha Fine" },
  ]);
});

test("when the session has ended, the password is asked for over the page, and nothing typed is lost", async () => {
  const { id } = await app.make.product({ price: "10.00" });
  const page = await shop.signedIn(`/products/${id}`);
  await page.getByRole("textbox", { name: "Price" }).fill("12");
  const setActive = (isActive: boolean) =>
    app.sql("UPDATE admins SET is_active = $1 WHERE email = $2", [isActive, shop.email]);
  await setActive(false);
  await page.getByRole("button", { name: "Save" }).click();

  await dialog(page).getByText("Your session has ended").waitFor();
  await setActive(true);
  await dialog(page).getByLabel("Password").fill(PASSWORD);
  await dialog(page).getByRole("button", { name: "Sign in" }).click();
  await eventually(async () => (await priceOf(id)) === "12.00");
});

test("a change is undone later, from the history", async () => {
  const { id } = await app.make.product({ price: "9.50" });
  const query = `mutation { updateProduct(id: ${id}, input: { price: "10.25" }) { id } }`;
  await app.http.post("/graphql").set("Authorization", app.asAdmin).send({ query }).expect(200);
  const page = await shop.signedIn(`/products/${id}`);
  await page.getByRole("button", { name: "Undo this change" }).click();
  await page.getByText("Undone").waitFor();
  expect(await priceOf(id)).toBe("9.50");
});

test("all that match are selected beyond the page, and done", async () => {
  for (let count = 0; count < 30; count += 1) await app.make.order();
  const page = await shop.signedIn("/orders");
  await page.getByLabel("Select all on this page").check();
  await page.getByRole("button", { name: "Select all 30 that match" }).click();
  await page.getByText("30 selected").waitFor();
  await page.getByRole("button", { name: "Mark paid" }).click();
  await dialog(page).getByRole("button", { name: "Mark paid" }).click();
  await page.getByText("30 orders are paid").waitFor();
  expect(await app.sql("SELECT 1 FROM orders WHERE status <> 'PAID'")).toEqual([]);
});

test("an export that breaks off is never saved as if it were complete", async () => {
  await app.make.order();
  const page = await shop.signedIn("/orders");
  const files: unknown[] = [];
  page.on("download", (file) => files.push(file));
  await page.evaluate(`{
    const { fetch } = globalThis;
    const broken = { pull: (part) => part.enqueue(new Uint8Array(9)) ?? part.error(new Error()) };
    globalThis.fetch = async (path, init) =>
      path.includes("/export/") ? new Response(new ReadableStream(broken)) : fetch(path, init);
  }`);
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("button", { name: "Save file" }).click();
  await page.getByText("it broke off on the way").waitFor();
  expect(files).toEqual([]);
});

test.each([
  ["23", "30 Mar", "2025-03-29T23:00:00Z", "2025-03-30T21:59:59Z", "2025-03-30T22:00:00Z"],
  ["25", "26 Oct", "2025-10-25T22:00:00Z", "2025-10-26T22:59:59Z", "2025-10-26T23:00:00Z"],
])("a day of %s hours has the orders of all of them", async (_hours, day, ...times) => {
  for (const created_at of times) await app.make.order({ created_at: new Date(created_at) });
  const page = await shop.opened("", { timezoneId: "Europe/Berlin" });
  await page.clock.setFixedTime(new Date(Date.parse(times[2]) + 7 * 86_400_000));
  await signIn(page, shop.email);
  const row = page.getByRole("row", { name: day });
  await row.waitFor({ state: "attached" });
  expect(await row.getByRole("cell").first().innerText()).toBe("2");
});

test("tabs share a session, and signing out in one ends it in all", async () => {
  const page = await shop.signedIn("/orders");
  const other = await page.context().newPage();
  await other.goto(`${app.url}/admin/products`);
  await other.getByRole("heading", { name: "Products" }).waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  await other.getByRole("button", { name: "Sign in" }).waitFor();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});
