import type { Locator, Page } from "playwright-core";
import { startReplica, type TestApp } from "../support/app";
import { PASSWORD } from "../support/factories";
import { explorers } from "./explorers";
import type { Visit } from "./visit";

jest.setTimeout(60_000);

const shop = explorers();
let app: TestApp;

beforeAll(() => {
  ({ app } = shop);
});

/** Each test has orders and subscribers of its own. */
beforeEach(async () => {
  for (const table of ["order_items", "orders", "products", "newsletter_subscribers"]) {
    await app.sql(`DELETE FROM ${table}`);
  }
});

/** A page right after sign-in, which shows the orders that wait for payment. */
async function signedIn({ url = app.url } = {}): Promise<Visit> {
  const explorer = await shop.opened(url, "", { asJson: false });
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.sees("Signed in as");
  return explorer;
}

const orders = (count: number) =>
  Promise.all(Array.from({ length: count }, () => app.make.order({ total_amount: "21.50" }))).then(
    (made) => made.sort((one, other) => one.id - other.id),
  );

const statusesOf = async (made: readonly { id: number }[]) => {
  const ids = made.map(({ id }) => id);
  const rows = await app.sql<{ status: string }>(
    "SELECT status FROM orders WHERE id = ANY($1) ORDER BY id",
    [ids],
  );
  return rows.map(({ status }) => status);
};

const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: true });

const dialog = (page: Page): Locator => page.getByRole("dialog");

async function select(page: Page, made: readonly { id: number }[]): Promise<void> {
  for (const { id } of made) await page.getByLabel(`Select order ${id}`, { exact: true }).check();
}

/** The ids that requests of the operation name, as they are sent. */
function sentIds(page: Page, operation: string): number[] {
  const ids: number[] = [];
  page.on("request", (request) => {
    const body = request.postDataJSON() as { query?: string; variables?: { id: number } } | null;
    if (body?.query?.includes(`mutation ${operation}(`)) ids.push(body.variables?.id ?? 0);
  });
  return ids;
}

/** Clicks and keys that are counted; what is typed between them is not. */
function counted(page: Page) {
  let count = 0;
  return {
    click: async (locator: Locator) => {
      count += 1;
      await locator.click();
    },
    press: async (key: string) => {
      count += 1;
      await page.keyboard.press(key);
    },
    count: () => count,
  };
}

test("a morning's work takes fourteen clicks and keys", async () => {
  const made = await orders(4);
  const anna = await app.make.order({ customer_email: "anna@example.com", total_amount: "9.50" });
  const earlier = await app.make.order({ customer_email: "anna@example.com", status: "PAID" });
  const product = await app.make.product({ name: "Green sencha", price: "11.00" });
  await app.make.product({ name: "Green gunpowder" });
  const explorer = await signedIn();
  const { page } = explorer;
  const { click, press, count } = counted(page);

  for (const { id } of made) await click(page.getByLabel(`Select order ${id}`, { exact: true }));
  await click(button(page, "Mark 4 paid"));
  await dialog(page).getByText("They come to 86.00 together.").waitFor();
  await press("Enter");
  await explorer.sees("4 orders are paid");

  await click(button(page, `Cancel, order ${anna.id}`));
  const question = `Cancel order ${anna.id} of anna@example.com (9.50)?`;
  await dialog(page).getByRole("heading", { name: question }).waitFor();
  await click(button(page, "Cancel order"));
  await explorer.sees(`Order ${anna.id} is cancelled`);

  await click(button(page, new RegExp("^anna@example.com: All orders")));
  await page.getByLabel(`Select order ${earlier.id}`, { exact: true }).waitFor();

  await click(button(page, "Operations"));
  await click(button(page, "Find a product"));
  await page
    .getByLabel(/^Search/)
    .and(page.locator(":focus"))
    .waitFor();
  await page.keyboard.type("sencha green");
  await press("Enter");
  await click(button(page, `Change price, product ${product.id}`));
  await dialog(page).locator("input:focus").waitFor();
  await page.keyboard.type("12.50");
  await press("Enter");
  await explorer.sees("“Green sencha” costs 12.50");

  expect(count()).toBeLessThanOrEqual(14);
  expect(await statusesOf([...made, anna])).toEqual(["PAID", "PAID", "PAID", "PAID", "CANCELLED"]);
  const { body } = await app.http.get(`/products/${product.id}`).expect(200);
  expect(body.price).toBe("12.50");
});

test("twenty orders are paid with four clicks and keys, and the answer shows it", async () => {
  const made = await orders(20);
  const explorer = await signedIn();
  const { page } = explorer;
  const { click, press, count } = counted(page);
  await click(page.getByLabel("Select all"));
  await click(button(page, "Mark 20 paid"));
  await dialog(page).getByText("and 15 more").waitFor();
  await press("Enter");
  await explorer.sees("20 orders are paid");
  expect(count()).toBeLessThanOrEqual(4);
  expect(new Set(await statusesOf(made))).toEqual(new Set(["PAID"]));

  const row = page.getByRole("row").filter({ hasText: made[0]!.customer_email });
  await row.getByText("Paid", { exact: true }).waitFor();
  expect(await button(page, `Mark paid, order ${made[0]!.id}`).count()).toBe(0);
  await page.getByText("JSON", { exact: true }).last().click();
  await explorer.answers('"PAID"');
});

test("an order that was cancelled meanwhile is named and read again, and only what can help is tried again", async () => {
  const made = await orders(3);
  const [first, second] = made;
  const paid = await app.make.order({ status: "PAID" });
  const explorer = await signedIn();
  const { page } = explorer;
  await explorer.open("All orders");
  await select(page, [...made, paid]);
  await app.sql("UPDATE orders SET status = 'CANCELLED' WHERE id = $1", [second!.id]);
  const ids = sentIds(page, "MarkPaid");
  const failing = { errors: [{ message: "Oh", extensions: { code: "INTERNAL_SERVER_ERROR" } }] };
  await page.route("**/graphql", (route) =>
    ids.at(-1) === first!.id ? route.fulfill({ json: failing }) : route.continue(),
  );

  await button(page, "Mark 3 of 4 paid").click();
  await dialog(page).getByText("1 of the 4 selected").waitFor();
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("heading", { name: "1 of 3 orders are paid" }).waitFor();
  const failures = await dialog(page).getByRole("alert").innerText();
  expect(failures).toContain(`Order ${second!.id} of ${second!.customer_email} (21.50): `);
  expect(failures).toContain("is cancelled and can't become paid");
  expect(await statusesOf(made)).toEqual(["PENDING", "CANCELLED", "PAID"]);

  await page.unroute("**/graphql");
  ids.splice(0);
  await button(page, "Retry failed").click();
  await dialog(page).getByRole("heading", { name: "2 of 3 orders are paid" }).waitFor();
  expect(ids).toEqual([first!.id]);
  await button(page, "Close").and(page.locator(":focus")).waitFor();
  expect(await button(page, "Retry failed").count()).toBe(0);
  await button(page, "Close").click();
  const row = page.getByRole("row").filter({ hasText: second!.customer_email });
  await row.getByText("Cancelled", { exact: true }).waitFor();
  expect(await button(page, `Mark paid, order ${second!.id}`).count()).toBe(0);

  // What has been deleted meanwhile is shown as that.
  await app.sql("DELETE FROM orders WHERE id = $1", [first!.id]);
  await button(page, `Cancel, order ${first!.id}`).click();
  await button(page, "Cancel order").click();
  await dialog(page).getByText("Order not found").waitFor();
  expect(await button(page, "Try again").count()).toBe(0);
  await button(page, "Close").click();
  await page.getByRole("row").getByText("deleted", { exact: true }).waitFor();
});

test("a round can be stopped and continued, and two clicks at once begin but one", async () => {
  const made = await orders(4);
  const explorer = await signedIn();
  const { page } = explorer;
  await page.getByLabel("Select all").check();
  const ids = sentIds(page, "MarkPaid");
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/graphql", async (route) => {
    if (ids.length === 2) await released;
    await route.continue();
  });

  await button(page, "Mark 4 paid").click();
  await button(page, "Mark 4 paid").last().dblclick();
  await dialog(page).getByText("2 of 4").waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await dialog(page).getByText("the last one before it stops").waitFor();
  release();
  await dialog(page).getByText("2 not begun.").waitFor();
  expect(ids).toHaveLength(2);

  await button(page, "Continue").click();
  await explorer.sees("4 orders are paid");
  expect(ids).toHaveLength(4);
  expect(new Set(ids)).toEqual(new Set(made.map(({ id }) => id)));
});

test("a service that goes away ends the round, and leaves the rest as it is", async () => {
  const made = await orders(4);
  const replica = await startReplica(app);
  const explorer = await signedIn({ url: replica.url });
  const { page, complaints } = explorer;
  await page.getByLabel("Select all").check();
  const ids = sentIds(page, "MarkPaid");
  await page.route("**/graphql", async (route) => {
    if (ids.length === 2) await replica.close();
    await route.continue();
  });
  await button(page, "Mark 4 paid").click();
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("heading", { name: "1 of 4 orders are paid" }).waitFor();
  await dialog(page).getByText("The service can't be reached").waitFor();
  await dialog(page).getByText("2 not begun.").waitFor();
  expect(ids).toHaveLength(2);
  expect((await statusesOf(made)).filter((status) => status === "PAID")).toHaveLength(1);
  await button(page, "Close").click();
  expect(complaints.splice(0).join()).toContain("ERR_CONNECTION_REFUSED");
});

test("nothing happens without a yes, and the focus returns to where it was", async () => {
  const [order] = await orders(1);
  const explorer = await signedIn();
  const { page } = explorer;
  const start = button(page, `Mark paid, order ${order!.id}`);
  await start.focus();
  await page.keyboard.press("Enter");
  await button(page, "Mark paid").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await start.and(page.locator(":focus")).waitFor();
  expect(await statusesOf([order!])).toEqual(["PENDING"]);

  const ids = sentIds(page, "CancelOrder");
  await button(page, `Cancel, order ${order!.id}`).click();
  await dialog(page).getByText("This can’t be undone.").waitFor();
  await button(page, "Cancel order").dblclick();
  await explorer.sees(`Order ${order!.id} is cancelled`);
  expect(ids).toHaveLength(1);
  expect(await dialog(page).count()).toBe(0);
  // Its button is gone; its row has the focus.
  expect(await page.evaluate("document.activeElement.matches('tr')")).toBe(true);
});

test("Enter again and again pays orders, and cancels none of them", async () => {
  const made = await orders(3);
  const explorer = await signedIn();
  const { page } = explorer;
  await select(page, made.slice(0, 2));
  await button(page, "Mark 2 paid").focus();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor();
  await page.keyboard.press("Enter");
  await explorer.sees("2 orders are paid");
  await page.getByRole("group", { name: "Selected rows" }).and(page.locator(":focus")).waitFor();
  for (let press = 1; press <= 3; press += 1) await page.keyboard.press("Enter");
  expect(await statusesOf(made)).toEqual(["PAID", "PAID", "PENDING"]);

  // What can't be undone begins on the way back.
  await button(page, "Cancel 2 orders").press("Enter");
  await button(page, "Go back").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "detached" });
  expect(await statusesOf(made)).toEqual(["PAID", "PAID", "PENDING"]);
});

test("a key that is held down presses once: Enter and Space on buttons, Ctrl+Enter in a form", async () => {
  const [first, second] = await orders(2);
  const product = await app.make.product();
  const explorer = await signedIn();
  const { page } = explorer;
  const { keyboard } = page;
  const hold = async (key: string) => {
    for (let press = 1; press <= 3; press += 1) await keyboard.down(key);
  };
  const ids = sentIds(page, "MarkPaid");
  await button(page, `Mark paid, order ${first!.id}`).focus();
  await hold("Enter");
  await dialog(page).waitFor();
  await hold("Enter");
  await keyboard.up("Enter");
  await keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  expect(ids).toEqual([]);

  await button(page, `Mark paid, order ${second!.id}`).focus();
  await hold("Space");
  await keyboard.up("Space");
  await button(page, "Mark paid").and(page.locator(":focus")).waitFor();
  expect(ids).toEqual([]);
  await hold("Space");
  await keyboard.up("Space");
  await explorer.sees(`Order ${second!.id} is paid`);
  expect(ids).toEqual([second!.id]);

  await explorer.open("Products");
  await page.getByText(`Order ${second!.id} is paid`).waitFor({ state: "detached" });
  const creations = sentIds(page, "DuplicateProduct");
  await button(page, `More, product ${product.id}`).press("Enter");
  await page.getByRole("menuitem", { name: "Duplicate" }).focus();
  await keyboard.down("Enter");
  await dialog(page).locator("input:focus").waitFor();
  await hold("Enter");
  await keyboard.up("Enter");
  await dialog(page).getByRole("button", { name: "Create product" }).waitFor();
  expect(creations).toEqual([]);
  await keyboard.press("Escape");

  await explorer.open("New category");
  const form = page.getByRole("form", { name: "Variables" });
  const categories = sentIds(page, "NewCategory");
  await form.getByRole("textbox", { name: "Name" }).fill("Held down");
  await keyboard.down("Control");
  await keyboard.down("Enter");
  const said = form.getByText("“Held down” is created as category");
  await said.waitFor();
  await hold("Enter");
  await keyboard.up("Enter");
  await keyboard.up("Control");
  expect(await said.isVisible()).toBe(true);
  expect(categories).toHaveLength(1);
});

test("products are edited, duplicated, switched off and deleted from their rows", async () => {
  const ordered = await app.make.product({ name: "Assam" });
  const product = await app.make.product({ name: "Bancha", description: "Mild", price: "8.00" });
  const order = await app.make.order();
  await app.make.orderItem({ order_id: order.id, product_id: ordered.id });
  const explorer = await signedIn();
  const { page } = explorer;
  await explorer.open("Products");
  const more = async (action: string, { id }: { id: number }) => {
    await button(page, `More, product ${id}`).click();
    await page.getByRole("menuitem", { name: action }).click();
  };

  const updates: unknown[] = [];
  page.on("request", (request) => {
    const body = request.postDataJSON() as { query?: string; variables?: unknown } | null;
    if (body?.query?.includes("updateProduct")) updates.push(body.variables);
  });
  await button(page, `Edit, product ${product.id}`).click();
  const price = dialog(page).getByLabel(/^Price/);
  expect(
    await dialog(page)
      .getByLabel(/^Description/)
      .inputValue(),
  ).toBe("Mild");
  await price.fill("-1");
  await price.press("Enter");
  await dialog(page).getByText("This must be an amount such as 12.50").waitFor();
  await price.fill("8.80");
  await price.press("Enter");
  await explorer.sees("“Bancha” is saved");
  expect(updates.at(-1)).toEqual({ id: product.id, input: { price: "8.80" } });
  const row = page.getByRole("row").filter({ hasText: "Bancha" });
  await row.getByText("8.80").waitFor();

  await more("Duplicate", product);
  await dialog(page).locator("input:focus").waitFor();
  await page.keyboard.press("Enter");
  await explorer.sees(/“Bancha \(copy\)” is created as product \d+/);
  const { body } = await app.http.get("/products").expect(200);
  expect(body.data[0]).toMatchObject({
    name: "Bancha (copy)",
    slug: "bancha-copy",
    description: "Mild",
    price: "8.80",
    isActive: false,
  });

  await page.getByLabel("Select all").check();
  await button(page, "Switch 2 off").click();
  await page.keyboard.press("Enter");
  await explorer.sees("2 products are switched off");
  await button(page, "Delete 2").click();
  await button(page, "Delete 2").last().click();
  await dialog(page).getByRole("heading", { name: "1 of 2 products are deleted" }).waitFor();
  await dialog(page).getByText(`“Assam” (product ${ordered.id}): `).waitFor();
  await button(page, "Close").click();
  await row.getByText("deleted", { exact: true }).waitFor();
  await app.http.get(`/products/${product.id}`).expect(404);
  await app.http.get(`/products/${ordered.id}`).expect(200);
});

test("several subscribers are unsubscribed, and their rows show it", async () => {
  for (const name of ["anna", "ben"]) await app.make.subscriber({ email: `${name}@example.com` });
  await app.make.subscriber({ email: "cleo@example.com", is_active: false });
  const explorer = await signedIn();
  const { page } = explorer;
  await explorer.open("Subscribers");
  await page.getByLabel("Select all").check();
  await button(page, "Unsubscribe 2 of 3").click();
  await dialog(page).getByText("anna@example.com").waitFor();
  await page.keyboard.press("Enter");
  await explorer.sees("2 subscribers are unsubscribed");
  expect(await page.getByRole("row").getByText("No", { exact: true }).count()).toBe(3);
  const active = await app.sql("SELECT id FROM newsletter_subscribers WHERE is_active");
  expect(active).toEqual([]);
});

test("a mutation written by hand that can't be undone asks first", async () => {
  const product = await app.make.product();
  const explorer = await signedIn();
  const { page } = explorer;
  await page.getByText("JSON", { exact: true }).last().click();
  await page.getByRole("region", { name: "Query Editor" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(`mutation Remove { deleteProduct(id: ${product.id}) { slug } }`);
  await page.getByRole("tab", { name: "Remove" }).waitFor();
  await explorer.click("Execute query");
  const question = `Delete product ${product.id}? This can’t be undone.`;
  await dialog(page).getByRole("heading", { name: question }).waitFor();
  await page.keyboard.press("Escape");
  await explorer.answers("Not run");
  await app.http.get(`/products/${product.id}`).expect(200);

  await explorer.click("Execute query");
  await dialog(page).getByRole("button", { name: "Run" }).click();
  await explorer.answers(product.slug);
  await app.http.get(`/products/${product.id}`).expect(404);
});

test("today begins at midnight where the reader is", async () => {
  const explorer = await shop.opened(app.url, "", {
    timezoneId: "Africa/Cairo",
  });
  // On that day, clocks there went from 0:00 to 1:00.
  await explorer.page.clock.setFixedTime(new Date("2024-04-26T12:00:00Z"));
  await explorer.open("Today's orders");
  const variables = explorer.page.getByRole("region", { name: "Variables" });
  await variables.getByText('"2024-04-25T22:00:00.000Z"').waitFor();
});
