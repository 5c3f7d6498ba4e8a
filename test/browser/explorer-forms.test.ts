import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { startApp, type TestApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { PASSWORD } from "../support/factories";
import { serveFurther } from "../support/further-schema";
import { visit, writeQuery, type Visit } from "./visit";

jest.setTimeout(60_000);

let browser: Browser;
let app: TestApp;
let email: string;
let visits: Visit[] = [];
const started: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  started.push((browser = await launchChromium()));
  started.push((app = await startApp()));
  ({ email } = await app.make.admin());
}, 120_000);

/** Whatever a test does, the browser has nothing to complain about. */
afterEach(async () => {
  const complaints = visits.flatMap((each) => each.complaints);
  await Promise.all(visits.map((each) => each.close()));
  visits = [];
  expect(complaints).toEqual([]);
});

afterAll(async () => {
  for (const each of started) await each.close();
});

/** The explorer with forms, as an administrator sees it. */
async function opened(options: BrowserContextOptions = {}, url = app.url) {
  const explorer = await visit(browser, `${url}/explorer`, { asJson: false, ...options });
  visits.push(explorer);
  return {
    explorer,
    page: explorer.page,
    form: explorer.page.getByRole("form", { name: "Variables" }),
  };
}

async function signedIn(options: BrowserContextOptions = {}) {
  const all = await opened(options);
  await all.explorer.signIn(email, PASSWORD);
  await all.page.getByRole("tab", { name: "WaitingForPayment", selected: true }).waitFor();
  return all;
}

/** The variables as they stand in GraphiQL's editor. */
async function variablesOf(page: Page): Promise<unknown> {
  const text = await page.evaluate(
    `document.querySelector(".graphiql-editor-tool .CodeMirror").CodeMirror.getValue()`,
  );
  return JSON.parse(text as string);
}

/** Puts an operation into the editor of a new tab. */
async function write(page: Page, query: string): Promise<void> {
  await page.getByRole("button", { name: "New tab" }).click();
  await writeQuery(page, query);
}

/** Does something that runs the operation, and waits for its answer. */
async function answerOf(page: Page, operation: string, act: () => Promise<void>) {
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.request().postDataJSON()?.query.includes(` ${operation}`)),
    act(),
  ]);
  return response.json();
}

const run = (form: Locator) => form.getByRole("button", { name: /^Run/ }).click();

/** What stands beside a field as wrong; empty if nothing does. */
async function messageOf(field: Locator): Promise<string> {
  const id = await field.getAttribute("aria-errormessage");
  return id === null ? "" : field.page().locator(`[id="${id}"]`).innerText();
}

const hasFocus = async (field: Locator): Promise<boolean> =>
  (await field.page().locator(":focus").getAttribute("id")) === (await field.getAttribute("id"));

const PLACE = `mutation Place($input: PlaceOrderInput!) {
  placeOrder(input: $input) { id }
}`;

test("a product is created by its form, its category chosen by a part of its name", async () => {
  const category = await app.make.category({ name: "Maté & Herbs" });
  await app.make.category({ name: "Black Tea" });
  const { explorer, page, form } = await signedIn();
  await explorer.open("New product");
  const name = form.getByRole("textbox", { name: "Name" });
  await page.waitForFunction("document.activeElement.closest('.operation-form')");
  expect(await hasFocus(name)).toBe(true);

  const refused = await answerOf(page, "NewProduct", () => run(form));
  expect(refused.errors).toHaveLength(1);
  await page.waitForFunction("document.activeElement.ariaInvalid === 'true'");
  expect(await hasFocus(name)).toBe(true);
  expect(await messageOf(name)).toBe("Should not be empty");
  await name.fill("Chimarrão");
  expect(await messageOf(name)).toBe("");

  const choice = form.getByRole("combobox", { name: "Category" });
  expect(await messageOf(choice)).toBe("Must not be less than 1");
  await choice.fill("MATE");
  await form.getByRole("option", { name: `Maté & Herbs (${category.id})` }).waitFor();
  await choice.press("Enter");
  expect(await choice.inputValue()).toBe(`Maté & Herbs (${category.id})`);
  await form.getByRole("textbox", { name: "Price" }).fill("12.50");
  await form
    .getByRole("radiogroup", { name: "Is active" })
    .getByText("No", { exact: true })
    .click();
  const created = await answerOf(page, "NewProduct", () => run(form));
  const { id } = created.data.createProduct;
  const { body } = await app.http.get(`/products/${id}`).expect(200);
  expect(body).toMatchObject({
    name: "Chimarrão",
    description: "",
    price: "12.50",
    categoryId: category.id,
    isActive: false,
  });
});

test("a fault of an item stands beside its field until the field is edited", async () => {
  const products = [await app.make.product({ name: "Sencha Fuji" }), await app.make.product()];
  await app.make.product({ name: "Another", description: "Made like Sencha Fuji." });
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
  await page.waitForFunction("document.activeElement.ariaInvalid === 'true'");
  expect(await messageOf(second!)).toBe("Must not be less than 1");
  expect(await first!.getAttribute("aria-invalid")).toBeNull();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("two");
  expect(await second!.getAttribute("aria-invalid")).toBeNull();
  await answerOf(page, "Place", () => page.keyboard.press("Enter"));
  await form.getByText('Int cannot represent non-integer value: "two"').waitFor();
  await second!.fill("2");
  const placed = await answerOf(page, "Place", () => second!.press("ControlOrMeta+Enter"));
  const items = await app.sql("SELECT product_id, quantity FROM order_items WHERE order_id = $1", [
    placed.data.placeOrder.id,
  ]);
  expect(items).toEqual(
    expect.arrayContaining([
      { product_id: products[0]!.id, quantity: 1 },
      { product_id: products[1]!.id, quantity: 2 },
    ]),
  );
  await form.getByRole("button", { name: "Remove item 1" }).click();
  expect(await variablesOf(page)).toMatchObject({ input: { items: [{ quantity: 2 }] } });
});

test("form and JSON are two views of one value", async () => {
  const { page, form } = await opened();
  await write(
    page,
    `mutation Edit($id: Int!, $input: UpdateProductInput!, $half: Float) {
      updateProduct(id: $id, input: $input) { id }
    }`,
  );
  const json = async (text: string) => {
    await page.getByRole("group", { name: "Variables as" }).getByText("JSON").click();
    await page.getByRole("region", { name: "Variables" }).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(text);
  };
  const showForm = () =>
    page.getByRole("group", { name: "Variables as" }).getByText("Form").click();
  await json('{ "id": 5, "input": { "description": "Fine", "slug": null } }');
  await showForm();
  const description = form.getByRole("textbox", { name: "Description" });
  const half = form.getByRole("textbox", { name: "Half" });
  expect(await form.getByRole("textbox", { name: "Id", exact: true }).inputValue()).toBe("5");
  expect(await description.inputValue()).toBe("Fine");
  await form.getByText("Sent as null.").waitFor();

  await description.fill("");
  await form.getByRole("radiogroup", { name: "Is active" }).getByText("Yes").click();
  await half.pressSequentially("-0.50");
  expect(await half.inputValue()).toBe("-0.50");
  expect(await variablesOf(page)).toEqual({
    id: 5,
    input: { description: "", slug: null, isActive: true },
    half: -0.5,
  });
  await half.pressSequentially("e");
  expect(await variablesOf(page)).toMatchObject({ half: "-0.50e" });
  await half.press("Tab");
  expect(await messageOf(half)).toBe("This is not a number.");
  await half.fill("");
  await form.getByRole("button", { name: "Clear description" }).click();
  await form.getByRole("button", { name: "Clear slug" }).click();
  await form.getByRole("radiogroup", { name: "Is active" }).getByText("Not set").click();
  await form.getByRole("textbox", { name: "Name" }).pressSequentially("a");
  await page.keyboard.press("Backspace");
  expect(await variablesOf(page)).toEqual({ id: 5, input: {} });

  await json("{ oops");
  await showForm();
  await form.getByText("The variables are not a JSON object").waitFor();
  await write(page, "query {");
  await form.getByText("The query can't be read").waitFor();
  await write(page, "query Names { categories { name } }");
  await form.getByText("This operation takes no variables.").waitFor();
  expect((await answerOf(page, "Names", () => run(form))).data).toBeDefined();
});

test("a time is picked in the reader's zone, and the filter has the exact instant", async () => {
  await app.make.order({
    customer_email: "before@example.com",
    created_at: "2026-07-01T18:29:59Z",
  });
  await app.make.order({ customer_email: "after@example.com", created_at: "2026-07-01T18:30:00Z" });
  const { explorer, page, form } = await signedIn({ timezoneId: "Asia/Kolkata" });
  await explorer.open("Today's orders");
  // The tab before it has the same field.
  await page.getByRole("tab", { name: "TodaysOrders", selected: true }).waitFor();
  await form.getByLabel("Placed from").fill("2026-07-02T00:00");
  expect(await variablesOf(page)).toMatchObject({
    filter: { placedFrom: "2026-07-01T18:30:00.000Z" },
  });
  const { data } = await answerOf(page, "TodaysOrders", () => run(form));
  const addresses = data.orders.data.map((order: { customerEmail: string }) => order.customerEmail);
  expect(addresses).toContain("after@example.com");
  expect(addresses).not.toContain("before@example.com");

  // What a picker can't hold is a text, and stays as it is.
  const precise = { filter: { placedFrom: "2026-07-01T18:30:00.123Z" } };
  await page.evaluate(
    `document.querySelector(".graphiql-editor-tool .CodeMirror").CodeMirror
      .setValue(${JSON.stringify(JSON.stringify(precise))})`,
  );
  const from = form.getByLabel("Placed from");
  expect(await from.getAttribute("type")).toBe("text");
  expect(await from.inputValue()).toBe(precise.filter.placedFrom);
  await form.getByRole("textbox", { name: "Customer email" }).fill("a@example.com");
  expect(await variablesOf(page)).toMatchObject(precise);
  await form.getByRole("textbox", { name: "Customer email" }).fill("");
  expect(await variablesOf(page)).toEqual(precise);

  await from.fill("");
  await form.getByRole("button", { name: "Remove filter" }).focus();
  expect(await from.getAttribute("type")).toBe("datetime-local");
  expect(await variablesOf(page)).toEqual({ filter: {} });
  await form.getByRole("button", { name: "Remove filter" }).click();
  expect(await page.locator(":focus").innerText()).toBe("Add filter");
  expect(await variablesOf(page)).toEqual({});
  await page.keyboard.press("Enter");
  expect(await page.locator(":focus").getAttribute("type")).toBe("radio");
  expect(await variablesOf(page)).toEqual({ filter: {} });
});

test("a category is found, created and run by keyboard on a narrow screen", async () => {
  const { page, form } = await signedIn({ viewport: { width: 390, height: 844 } });
  await app.make.category({ name: "Oolong" });
  const two = await app.make.category({ name: "Oolong Two" });
  await write(
    page,
    `query Some($categoryId: Int) { products(filter: { categoryId: $categoryId }) { meta { total } } }`,
  );
  const choice = form.getByRole("combobox", { name: "Category" });
  await choice.focus();
  await page.keyboard.type("oolong");
  await form.getByRole("option", { name: "Oolong Two" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await variablesOf(page)).toEqual({ categoryId: two.id });
  const { data } = await answerOf(page, "Some", () => page.keyboard.press("Enter"));
  expect(data.products.meta.total).toBe(0);
  await page.keyboard.press("ArrowDown");
  await form.getByRole("listbox").waitFor();
  await page.keyboard.press("Escape");
  await form.getByRole("listbox").waitFor({ state: "hidden" });
  await page.keyboard.type("987654");
  await page.keyboard.press("Tab");
  expect(await variablesOf(page)).toEqual({ categoryId: 987654 });
  expect(await choice.inputValue()).toBe("987654");
  await page.keyboard.press("Enter");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
});

test("an id is typed where the names can't be loaded", async () => {
  const { page, form } = await opened();
  await page.route("**/graphql", async (route) => {
    const { query } = route.request().postDataJSON() as { query: string };
    const json = { errors: [{ message: "Not today" }] };
    return query.includes("query Choices") ? route.fulfill({ json }) : route.fallback();
  });
  await write(
    page,
    "query Some($categoryId: Int) { products(filter: { categoryId: $categoryId }) { meta { total } } }",
  );
  const choice = form.getByRole("combobox", { name: "Category" });
  await choice.click();
  await form.getByText("The names could not be loaded; type the id.").waitFor();
  await choice.fill("7");
  expect(await variablesOf(page)).toEqual({ categoryId: 7 });
  await choice.fill("");
  expect(await variablesOf(page)).toEqual({});
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
  const further = await serveFurther(app, GROWN, { planTasting: JSON.stringify });
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
  const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  for (const colorScheme of ["light", "dark"] as const) {
    const { explorer, page, form } = await opened({ colorScheme });
    await explorer.open("New product");
    await answerOf(page, "NewProduct", () => run(form));
    await form.getByRole("combobox", { name: "Category" }).click();
    await form.getByRole("listbox").waitFor();
    await page.evaluate(axe);
    const { violations } = await page.evaluate<{
      violations: { id: string; nodes: { html: string }[] }[];
    }>("axe.run('.input-pane')");
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
});
