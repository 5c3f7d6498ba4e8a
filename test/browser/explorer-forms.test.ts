/** @check */

import type { Locator } from "playwright-core";
import { becomes } from "./becomes";
import { explorers } from "./explorers";
import { answerOf, forms, hasFocus, messageOf, run, variablesOf, write } from "./forms";

jest.setTimeout(60_000);

const shop = explorers();
const { opened, signedIn } = forms(shop);

/** The fields of a new product that must be filled in. */
const fieldsOf = (form: Locator) => ({
  name: form.getByRole("textbox", { name: "Name" }),
  choice: form.getByRole("combobox", { name: "Category" }),
  price: form.getByRole("textbox", { name: "Price" }),
});

/** A new product begins without a name, a category and a price, and off sale. */
async function expectEmpty(form: Locator): Promise<void> {
  for (const field of Object.values(fieldsOf(form))) expect(await field.inputValue()).toBe("");
  expect(await form.getByRole("radio", { name: "No", exact: true }).isChecked()).toBe(true);
}

test("a product is created by its form, its category chosen by a part of its name", async () => {
  const category = await shop.app.make.category({ name: "Maté & Herbs" });
  await shop.app.make.category({ name: "Black Tea" });
  const { explorer, page, form } = await signedIn();
  await explorer.open("New product");
  const { name, choice, price } = fieldsOf(form);
  await becomes(page, "document.activeElement.closest('.operation-form')");
  expect(await hasFocus(name)).toBe(true);

  await answerOf(page, "NewProduct", () => explorer.click("Create product"));
  await becomes(page, "document.activeElement.ariaInvalid === 'true'");
  expect(await hasFocus(name)).toBe(true);
  for (const field of [name, choice, price]) {
    expect(await messageOf(field)).toBe("This must be filled in.");
  }
  await name.fill("Chimarrão");
  expect(await messageOf(name)).toBe("");

  await choice.fill("MATE");
  await form.getByRole("option", { name: `Maté & Herbs (${category.id})` }).waitFor();
  await choice.press("Enter");
  expect(await choice.inputValue()).toBe(`Maté & Herbs (${category.id})`);
  await price.fill("12.50");
  const created = await answerOf(page, "NewProduct", () => price.press("Enter"));
  const { id } = created.data.createProduct;
  await form.getByText(`“Chimarrão” is created as product ${id}`).waitFor();
  await expectEmpty(form);
  const { body } = await shop.app.http.get(`/products/${id}`).expect(200);
  expect(body).toMatchObject({
    name: "Chimarrão",
    description: "",
    price: "12.50",
    categoryId: category.id,
    isActive: false,
  });
});

test("orders are found by a part of the address, behind which a phone's keyboard adds a blank", async () => {
  await shop.app.make.order({ customer_email: "fatima.ouali@example.com" });
  await shop.app.make.order({ customer_email: "ben@example.com" });
  const { explorer, page, form } = await signedIn();
  await explorer.open("Find orders by part of an address");
  const part = form.getByRole("textbox", { name: "Part of address" });
  await part.pressSequentially("fatima ");
  await part.press("Enter");
  await page.getByRole("heading", { name: "Orders, 1–1 of 1" }).waitFor();
  await page.getByRole("row").getByText("fatima.ouali@example.com").waitFor();
  expect(await variablesOf(page)).toEqual({ partOfAddress: "fatima" });

  await explorer.open("Orders of a customer");
  await form.getByRole("textbox", { name: "Customer email" }).fill(" ben@example.com ");
  await page.keyboard.press("Enter");
  await page.getByRole("row").getByText("ben@example.com").waitFor();
});

const PLACE = `mutation Place($input: PlaceOrderInput!) {
  placeOrder(input: $input) { id }
}`;

test("a fault of an item stands beside its field until the field is edited", async () => {
  const products = [
    await shop.app.make.product({ name: "Sencha Fuji" }),
    await shop.app.make.product(),
  ];
  await shop.app.make.product({ name: "Another", description: "Made like Sencha Fuji." });
  const { page, form } = await signedIn();
  await write(page, PLACE);
  await form.getByRole("textbox", { name: "Customer email" }).fill("someone@example.com");
  for (const [index, product] of products.entries()) {
    await form.getByRole("button", { name: "Add item" }).click();
    const item = form.getByRole("group", { name: `Item ${index + 1}` });
    const choice = item.getByRole("combobox", { name: "Product" });
    expect(await hasFocus(choice)).toBe(true);
    await choice.pressSequentially(index === 0 ? "fuji" : String(product.id));
    if (index === 0) {
      const found = form.getByRole("option", { selected: true });
      await found.filter({ hasText: `Sencha Fuji (${product.id})` }).click();
    }
    await item.getByRole("textbox", { name: "Quantity" }).fill(String(1 - index));
  }
  const refused = await answerOf(page, "Place", () => run(form));
  expect(refused.errors[0].extensions.http.message).toEqual([
    "items.1.quantity must not be less than 1",
  ]);
  const [first, second] = [1, 2].map((number) =>
    form.getByRole("group", { name: `Item ${number}` }).getByRole("textbox", { name: "Quantity" }),
  );
  await becomes(page, "document.activeElement.ariaInvalid === 'true'");
  expect(await messageOf(second!)).toBe("This must be at least 1.");
  expect(await first!.getAttribute("aria-invalid")).toBeNull();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("two");
  expect(await second!.getAttribute("aria-invalid")).toBeNull();
  await answerOf(page, "Place", () => page.keyboard.press("Enter"));
  await form.getByText("This is not a whole number.").waitFor();
  await second!.fill("2");
  const placed = await answerOf(page, "Place", () => second!.press("ControlOrMeta+Enter"));
  const items = await shop.app.sql(
    "SELECT product_id, quantity FROM order_items WHERE order_id = $1",
    [placed.data.placeOrder.id],
  );
  expect(items).toEqual(
    expect.arrayContaining([
      { product_id: products[0]!.id, quantity: 1 },
      { product_id: products[1]!.id, quantity: 2 },
    ]),
  );
  await form.getByRole("button", { name: "Remove item 1" }).click();
  expect(await variablesOf(page)).toMatchObject({ input: { items: [{ quantity: 2 }] } });
});

test("12,50 is an amount for a reader whose language writes so; 1,234 and 1.230 are asked about, and refused", async () => {
  const { page, form } = await opened({ locale: "de-DE" });
  await write(
    page,
    "query Cheap($maxPrice: Decimal) { products(filter: { maxPrice: $maxPrice }) { meta { total } } }",
  );
  const price = form.getByRole("textbox", { name: "Max price" });
  await price.fill("12,50");
  const { data } = await answerOf(page, "Cheap", () => price.press("Enter"));
  expect(data.products.meta).toBeDefined();
  expect(await variablesOf(page)).toEqual({ maxPrice: "12.50" });
  for (const [typed, question] of [
    ["1,234", "1,234 may be read in two ways. Write 1234, or 1.23."],
    ["1.230", "1.230 may be read in two ways. Write 1230, or 1.23."],
  ] as const) {
    await price.fill(typed);
    const refused = await answerOf(page, "Cheap", () => price.press("Enter"));
    expect(refused.errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT" } }]);
    await form.getByText(question).waitFor();
    expect(await price.inputValue()).toBe(typed);
  }
});

test("a time is picked in the reader's zone, and the filter has the exact instant", async () => {
  await shop.app.make.order({
    customer_email: "before@example.com",
    created_at: "2026-07-01T18:29:59Z",
  });
  await shop.app.make.order({
    customer_email: "after@example.com",
    created_at: "2026-07-01T18:30:00Z",
  });
  const { explorer, page, form } = await signedIn({ timezoneId: "Asia/Kolkata" });
  // It runs at once; that answer must not be taken for the one with the time.
  await answerOf(page, "TodaysOrders", () => explorer.open("Today's orders"));
  // The tab before it has the same field.
  await page.getByRole("tab", { name: "Today's orders", selected: true }).waitFor();
  await form.getByLabel("Placed from").fill("2026-07-02T00:00");
  expect(await variablesOf(page)).toMatchObject({
    filter: { placedFrom: "2026-07-01T18:30:00.000Z" },
  });
  const { data } = await answerOf(page, "TodaysOrders", () => run(form));
  const addresses = data.orders.data.map((order: { customerEmail: string }) => order.customerEmail);
  expect(addresses).toContain("after@example.com");
  expect(addresses).not.toContain("before@example.com");
});

const INCOMPLETE = "This is not a date with a time.";

test("a date without a time is told at its field, and neither a list nor a file goes ahead with it", async () => {
  await shop.app.make.order({ customer_email: "any@example.com" });
  const { explorer, page, form } = await signedIn();
  await explorer.open("All orders");
  const downloads: unknown[] = [];
  page.on("download", (download) => downloads.push(download));
  const file = page.getByRole("button", { name: "Download CSV" });
  await file.waitFor();
  const from = form.getByLabel("Placed from");
  await from.focus();
  await page.keyboard.type("11012026");
  await file.click();
  expect(await messageOf(from)).toBe(INCOMPLETE);
  await page.getByText("The form has a value that can't be used. Correct it first.").waitFor();
  expect(downloads).toEqual([]);
  const refused = await answerOf(page, "AllOrders", () => from.press("Enter"));
  expect(refused.data).toBeUndefined();
  expect(refused.errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT" } }]);
  expect(await hasFocus(from)).toBe(true);

  await from.fill("2026-01-11T09:30");
  expect(await messageOf(from)).toBe("");
  const { data } = await answerOf(page, "AllOrders", () => run(form));
  expect(data.orders.data).not.toEqual([]);
  const [download] = await Promise.all([page.waitForEvent("download"), file.click()]);
  expect(download.suggestedFilename()).toMatch(/^orders-.*\.csv$/);
});
