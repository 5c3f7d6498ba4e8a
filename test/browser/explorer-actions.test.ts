/** @check */

import { actionsShop, button, dialog, differences, more } from "./actions";
import { becomes } from "./becomes";

jest.setTimeout(60_000);

const { shop, signedIn } = actionsShop();
const { app } = shop;

test("products are edited, duplicated, switched off and deleted from their rows", async () => {
  const ordered = await app.make.product({ name: "Assam" });
  const product = await app.make.product({ name: "Bancha", description: "Mild", price: "8.00" });
  const order = await app.make.order();
  await app.make.orderItem({ order_id: order.id, product_id: ordered.id });
  const explorer = await signedIn();
  const { page } = explorer;
  await explorer.open("Products");

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
  expect(updates.at(-1)).toEqual({
    id: product.id,
    expectedVersion: 1,
    input: { price: "8.80" },
  });
  const row = page.getByRole("row").filter({ hasText: "Bancha" });
  await row.getByText("8.80").waitFor();

  await more(page, `product ${product.id}`, "Duplicate");
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

test("what somebody else has changed is seen before a form is saved over it, and nothing is lost", async () => {
  const [green, black] = [
    await app.make.category({ name: "Green" }),
    await app.make.category({ name: "Black" }),
  ];
  const { id } = await app.make.product({
    name: "Sencha",
    description: "Mild",
    price: "8.00",
    category_id: green.id,
  });
  const set = (column: string, value: unknown) =>
    app.sql(`UPDATE products SET ${column} = $1 WHERE id = $2`, [value, id]);
  const stored = async () =>
    (await app.sql("SELECT name, description, price FROM products WHERE id = $1", [id]))[0];
  const explorer = await signedIn();
  const { page } = explorer;
  await explorer.open("Products");
  const field = (name: string) =>
    dialog(page).getByRole("textbox", { name: new RegExp(`^${name}`) });
  const edit = async () => {
    await button(page, `Edit, product ${id}`).click();
    await field("Price").waitFor();
  };
  const changed = () => dialog(page).getByText("Nothing of yours is saved yet.").waitFor();
  const updates: unknown[] = [];
  page.on("request", (request) => {
    const body = request.postDataJSON() as { query?: string; variables?: unknown } | null;
    if (body?.query?.includes("updateProduct")) updates.push(body.variables);
  });

  // Back to the form, which then has both.
  await edit();
  await field("Name").fill("Sencha superior");
  await field("Price").fill("8.80");
  await set("price", "9.00");
  await set("category_id", black.id);
  await field("Price").press("Enter");
  await changed();
  await dialog(page).getByText(`Black (${black.id})`).waitFor();
  await dialog(page).getByText(`Green (${green.id})`).waitFor();
  expect(await differences(page)).toEqual([
    ["Name", "Sencha", "Sencha", "Sencha superior"],
    ["Price", "8.00", "9.00", "8.80"],
    ["Category", `Green (${green.id})`, `Black (${black.id})`, "no change"],
  ]);
  expect(await stored()).toEqual({ name: "Sencha", description: "Mild", price: "9.00" });
  await button(page, "Back to the form").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  expect(await field("Price").inputValue()).toBe("8.80");
  await becomes(
    page,
    `document.querySelector("dialog [role=combobox]").value === "Black (${black.id})"`,
  );
  await field("Price").press("Enter");
  await explorer.sees("“Sencha superior” is saved");
  expect(updates.at(-1)).toEqual({
    id,
    expectedVersion: 3,
    input: { name: "Sencha superior", price: "8.80" },
  });

  // Changed once more while it was looked at, and left as it is.
  await edit();
  await field("Price").fill("9.90");
  await set("description", "Strong");
  await field("Price").press("Enter");
  await changed();
  await set("description", "Stronger");
  await button(page, "Save all the same").click();
  await dialog(page).getByRole("cell", { name: "Stronger" }).waitFor();
  expect(await differences(page)).toEqual([
    ["Description", "Strong", "Stronger", "no change"],
    ["Price", "8.80", "8.80", "9.90"],
  ]);
  await button(page, "Leave it as it is").click();
  await explorer.sees("Nothing was changed");
  const theirs = { name: "Sencha superior", description: "Stronger", price: "8.80" };
  expect(await stored()).toEqual(theirs);

  await edit();
  await field("Price").fill("7.70");
  await set("description", "Bitter");
  await field("Price").press("Enter");
  await changed();
  await button(page, "Save all the same").click();
  await explorer.sees("“Sencha superior” is saved");
  expect(await stored()).toEqual({ ...theirs, description: "Bitter", price: "7.70" });
});

test("what somebody else has changed is seen before it is deleted", async () => {
  const product = await app.make.product({ name: "Sencha", price: "8.00" });
  const price = (to: string) =>
    app.sql("UPDATE products SET price = $1 WHERE id = $2", [to, product.id]);
  const explorer = await signedIn();
  const { page } = explorer;
  await explorer.open("Products");
  const askedAgain = () =>
    dialog(page)
      .getByRole("heading", { name: `“Sencha” (product ${product.id}) was changed meanwhile` })
      .waitFor();

  await more(page, `product ${product.id}`, "Delete");
  await price("9.00");
  await button(page, "Delete").click();
  await askedAgain();
  expect(await differences(page)).toEqual([["Price", "8.00", "9.00"]]);
  await button(page, "Leave it as it is").and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "detached" });
  await page.getByRole("row").getByText("9.00").waitFor();
  await app.http.get(`/products/${product.id}`).expect(200);

  await more(page, `product ${product.id}`, "Delete");
  await price("9.50");
  await button(page, "Delete").click();
  await askedAgain();
  await button(page, "Delete all the same").click();
  await explorer.sees("“Sencha” is deleted");
  await app.http.get(`/products/${product.id}`).expect(404);
});

test("the history of a row, and the whole audit log, say who changed what", async () => {
  const { id } = await app.make.product({ name: "Sencha", description: "", price: "8.00" });
  const category = await app.make.category({ name: "Green" });
  await app.sql("UPDATE categories SET name = 'White' WHERE id = $1", [category.id]);
  const explorer = await signedIn();
  const { page } = explorer;
  await explorer.open("Products");
  await button(page, `Change price, product ${id}`).click();
  await dialog(page).getByRole("textbox", { name: "Price" }).fill("8.80");
  await page.keyboard.press("Enter");
  await explorer.sees("“Sencha” costs 8.80");

  await more(page, `product ${id}`, "History");
  await page.getByRole("heading", { name: "Entries, 2 of 2" }).waitFor();
  const cells = (row: number) => page.locator("tbody tr").nth(row).locator("td").allInnerTexts();
  expect((await cells(0)).slice(1)).toEqual([
    shop.email,
    "GraphQL",
    "updateProduct",
    "Product",
    String(id),
    "Price: 8.00 → 8.80",
  ]);
  const [, , door, operation, , , changes] = await cells(1);
  expect([door, operation]).toEqual(["Database", "INSERT"]);
  expect(changes).toContain("Created\nName: Sencha\n");
  expect(changes).toContain("Description: empty");

  await explorer.open("Categories");
  await more(page, `category ${category.id}`, "History");
  await page.getByText("Name: Green → White").waitFor();

  await explorer.open("Audit log");
  const form = page.getByRole("form", { name: "Variables" });
  const run = () => form.getByRole("button", { name: "Run" }).click();
  await form.getByRole("combobox", { name: "Subject" }).selectOption("Product");
  await form.getByRole("textbox", { name: "Actor" }).fill(shop.email.toUpperCase());
  await run();
  await page.getByRole("heading", { name: "Entries, 1 of 1" }).waitFor();
  await page.getByText("Price: 8.00 → 8.80").waitFor();
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
