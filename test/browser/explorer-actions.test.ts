import { actionsShop, button, dialog, sentIds } from "./actions";

jest.setTimeout(60_000);

const { shop, signedIn, orders } = actionsShop();
const { app } = shop;

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
