import type { Locator, Page } from "playwright-core";
import { serveFurther } from "../support/further-schema";
import { violationsIn } from "./accessibility";
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

test("a new product begins without a price and a category, and off sale", async () => {
  const { explorer, page, form } = await opened();
  await explorer.open("New product");
  await page.getByRole("tab", { name: "New product", selected: true }).waitFor();
  await expectEmpty(form);
  expect(await variablesOf(page)).toEqual({ input: { isActive: false } });
});

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

test("Ctrl+Enter again, after a product was created, creates no second one", async () => {
  const category = await shop.app.make.category();
  const { explorer, page, form } = await signedIn();
  await explorer.open("New product");
  const { name, choice, price } = fieldsOf(form);
  await name.fill("Only once");
  await choice.fill(String(category.id));
  await price.fill("12.50");
  const create = () => page.keyboard.press("ControlOrMeta+Enter");
  await answerOf(page, "NewProduct", create);
  const said = form.getByText("“Only once” is created as product");
  await said.waitFor();
  await expectEmpty(form);
  expect(await hasFocus(name)).toBe(true);

  const second = await answerOf(page, "NewProduct", create);
  expect(second.data).toBeUndefined();
  await said.waitFor({ state: "detached" });
  const stored = await shop.app.sql("SELECT id FROM products WHERE name = 'Only once'");
  expect(stored).toHaveLength(1);
  await form.getByText("This must be filled in.").first().waitFor();
  await explorer.open("New product");
  await form.getByText("This must be filled in.").first().waitFor({ state: "detached" });
});

test("tabs, buttons and messages are in people's words, without codes", async () => {
  const { explorer, page, form } = await opened();
  await explorer.open("New product");
  await page.getByRole("tab", { name: "New product", selected: true }).waitFor();
  await answerOf(page, "NewProduct", () => explorer.click("Create product"));
  const told = page.getByRole("alert");
  await told.getByText("Name: This must be filled in.").waitFor();
  await explorer.open("Subscribers");
  await told.getByText("Sign in to go on.").waitFor();
  expect(await told.innerText()).toBe("Sign in to go on.");

  const setStatus = "setProductStatus(id: 1, isActive: true) { id }";
  await write(page, `mutation Two { one: ${setStatus} two: ${setStatus} }`);
  await form.getByRole("button", { name: "Save changes" }).waitFor();
  await write(page, "query Names { categories { name } }");
  await form.getByRole("button", { name: "Run", exact: true }).waitFor();
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

/** The names in the first table, row by row. */
const namesIn = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`Array.from(document.querySelector("table").tBodies[0].rows, (row) =>
    Array.from(row.cells).filter((cell) => !cell.matches(".select"))[1].innerText)`);

test("a search lists the best match first, until a column is chosen", async () => {
  await shop.app.make.product({ name: "Earl Grey" });
  await shop.app.make.product({ name: "Lady Earl" });
  await shop.app.make.product({ name: "Ceylon", description: "Fit for an earl" });
  const best = ["Earl Grey", "Lady Earl", "Ceylon"];
  const { explorer, page, form } = await opened();
  const search = form.getByRole("textbox", { name: "Search" });
  const found = page.getByRole("heading", { name: "Products, 1–3 of 3" });
  await explorer.open("Find a product");
  await search.fill("earl");
  await search.press("Enter");
  await found.waitFor();
  expect(await namesIn(page)).toEqual(best);

  await explorer.open("Products");
  await page.getByRole("tab", { name: "Products", selected: true }).waitFor();
  const [byName, byRelevance] = [
    { field: "NAME", direction: "ASC" },
    { field: "RELEVANCE", direction: "DESC" },
  ];
  await search.fill("earl");
  expect(await variablesOf(page)).toEqual({ filter: { search: "earl" }, sort: byRelevance });
  await search.fill("");
  expect(await variablesOf(page)).toEqual({ filter: {}, sort: byName });
  await search.fill("earl");
  await search.press("Enter");
  await found.waitFor();
  expect(await namesIn(page)).toEqual(best);
  await page.getByRole("columnheader", { name: "Name", exact: true }).getByRole("button").click();
  await page.locator("th[aria-sort=ascending]").waitFor();
  expect(await namesIn(page)).toEqual(["Ceylon", "Earl Grey", "Lady Earl"]);
  await search.fill("ear");
  expect(await variablesOf(page)).toMatchObject({ filter: { search: "ear" }, sort: byName });
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

const GROWN = `
  extend type Mutation { planTasting(tasting: Tasting!, isDraft: Boolean!, newPassword: String!): String! }
  input Tasting {
    title: String!
    level: Level! = BASIC
    mood: Mood!
    startsAt: DateTime!
    fee: Decimal
    isPublic: Boolean
    place: Place!
    rainPlace: Place
    seats: [Int!]!
    extras: Extras
  }
  input Place { "The street." street: String!, floor: Int, rainPlace: Place }
  enum Level { BASIC EXPERT }
  enum Mood { CALM MERRY SERIOUS FESTIVE }
  scalar Extras
`;

test("an operation that the schema gains has a form, without a line of code", async () => {
  const further = await serveFurther(shop.app, GROWN, { planTasting: JSON.stringify });
  try {
    const { page, form } = await opened({ timezoneId: "Europe/Berlin" }, further.url);
    await write(
      page,
      `mutation Plan($tasting: Tasting!, $isDraft: Boolean!, $newPassword: String!) {
        planTasting(tasting: $tasting, isDraft: $isDraft, newPassword: $newPassword)
      }`,
    );
    const fill = (label: string, text: string) =>
      form.getByRole("textbox", { name: label }).fill(text);
    await fill("Title", "First flush");
    await form.getByRole("combobox", { name: "Mood" }).selectOption("Merry");
    await form.getByLabel("Starts at").fill("2026-03-29T10:00");
    await fill("Fee", "12345678901234567890.10");
    await form.getByRole("radiogroup", { name: "Is public" }).getByText("Yes").click();
    await form
      .getByRole("radiogroup", { name: "Is draft" })
      .getByText("No", { exact: true })
      .click();
    await form.getByLabel("Street").fill("Kantstraße 1");
    await form.getByRole("button", { name: "Add rain place" }).last().click();
    await form.getByLabel("Street").last().fill("Inside");
    for (const seats of ["4", "6"]) {
      await form.getByRole("button", { name: "Add seat" }).click();
      await page.keyboard.type(seats);
    }
    const password = form.getByLabel("New password");
    expect(await password.getAttribute("type")).toBe("password");
    await password.fill("hidden");
    await fill("Extras", '{"cake": true}');
    expect(
      await form.getByRole("radiogroup", { name: "Level" }).getByText("Default: basic").count(),
    ).toBe(1);
    const { data } = await answerOf(page, "Plan", () => run(form));
    expect(JSON.parse(data.planTasting)).toEqual({
      isDraft: false,
      newPassword: "hidden",
      tasting: {
        title: "First flush",
        level: "BASIC",
        mood: "MERRY",
        startsAt: "2026-03-29T08:00:00.000Z",
        fee: "12345678901234567890.10",
        isPublic: true,
        place: { street: "Kantstraße 1" },
        rainPlace: { street: "Inside" },
        seats: [4, 6],
        extras: { cake: true },
      },
    });
  } finally {
    await further.close();
  }
});

test("forms are accessible", async () => {
  for (const colorScheme of ["light", "dark"] as const) {
    const { explorer, page, form } = await opened({ colorScheme });
    await explorer.open("New product");
    await answerOf(page, "NewProduct", () => run(form));
    await form.getByRole("combobox", { name: "Category" }).click();
    await form.getByRole("listbox").waitFor();
    const violations = await violationsIn(page, ".input-pane");
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
});
