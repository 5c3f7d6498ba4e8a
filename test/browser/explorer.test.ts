import type { BrowserContextOptions } from "playwright-core";
import { groups } from "../../src/explorer/client/operations";
import { startReplica } from "../support/app";
import { PASSWORD } from "../support/factories";
import { everythingStored } from "../support/stored";
import { explorers } from "./explorers";
import type { Visit } from "./visit";

jest.setTimeout(60_000);

/** Where it is before noon: a session of an hour ends on the same day there, and is told without a date. */
const timezoneId = new Date().getUTCHours() < 12 ? "UTC" : "Etc/GMT+12";

const shop = explorers();

const opened = (options: BrowserContextOptions = {}, url?: string): Promise<Visit> =>
  shop.opened(url, "", { timezoneId, ...options });

test("an administrator signs in, works and signs out", async () => {
  const order = await shop.app.make.order();
  const category = await shop.app.make.category();
  const explorer = await opened();
  await explorer.page.goto(`${shop.app.url}/graphql`);
  expect(explorer.page.url()).toBe(`${shop.app.url}/explorer`);

  await explorer.signIn(shop.email, "not the password");
  await explorer.sees("The e-mail address or the password is wrong.");
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.sees(/^Signed in as .* until \d\d:\d\d$/);

  await explorer.open("Today's orders");
  await explorer.answers(order.customer_email);
  const input = { name: "Gyokuro", price: "12.50", categoryId: category.id, isActive: false };
  await explorer.open("New product", { input });
  await explorer.run('"price": "12.50"');
  const { body } = await shop.app.http.get("/products").expect(200);
  expect(body.data[0]).toMatchObject({ name: "Gyokuro", price: "12.50", isActive: false });

  await explorer.click("Sign out");
  await explorer.sees("Signed out");
  expect(await explorer.answer()).toBe("");
  await explorer.open("Subscribers");
  await explorer.answers("UNAUTHENTICATED");
  await explorer.sees("Sign in to run this operation");
});

test("the token is kept for the tab alone", async () => {
  const explorer = await opened();
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.sees("Signed in as");

  expect(await explorer.page.evaluate("JSON.stringify(localStorage)")).not.toContain("eyJ");
  await explorer.page.reload();
  await explorer.sees("Signed in as");

  await explorer.click("Sign out");
  await explorer.sees("Signed out");
  const stored = await explorer.page.evaluate("JSON.stringify(sessionStorage)");
  expect(stored).not.toMatch(/eyJ|"token/);
});

test("a token that the service refuses ends the session, and the answer asks to sign in", async () => {
  const admin = await shop.app.make.admin();
  const explorer = await opened();
  await explorer.signIn(admin.email, PASSWORD);
  await explorer.sees("Signed in as");
  await explorer.answers('"orders"');
  await shop.app.sql("UPDATE admins SET is_active = false WHERE id = $1", [admin.id]);

  await explorer.open("Subscribers");
  await explorer.answers("UNAUTHENTICATED");
  await explorer.sees("Session expired, sign in again");
  await explorer.page.getByText("Table", { exact: true }).click();
  await explorer.page.getByRole("alert").getByText("Sign in to go on.").waitFor();
});

test("everything can be done by keyboard", async () => {
  const order = await shop.app.make.order();
  const explorer = await opened();
  const { keyboard } = explorer.page;

  await keyboard.type(shop.email);
  await keyboard.press("Tab");
  await keyboard.type(PASSWORD);
  await keyboard.press("Enter");
  await explorer.sees("Signed in as");

  await keyboard.press("Shift+Tab");
  const focused = () => explorer.page.evaluate<string>("document.activeElement.textContent.trim()");
  await keyboard.press("ArrowUp");
  expect(await focused()).toBe(groups.at(-1)?.operations.at(-1)?.label);
  await keyboard.press("ArrowDown");
  expect(await focused()).toBe(groups[0]?.operations[0]?.label);
  await keyboard.type("subs");
  expect(await focused()).toBe("Subscribers");
  await keyboard.press("Escape");
  expect(await focused()).toBe("Operations");
  await keyboard.press("ArrowDown");
  await keyboard.press("End");
  await keyboard.press("Home");
  await keyboard.type("today");
  await keyboard.press("Enter");
  await explorer.page.getByRole("tab", { name: "Today's orders", selected: true }).waitFor();
  await explorer.answers(order.customer_email);

  await explorer.page.getByRole("textbox", { name: "Variables as JSON" }).focus();
  await keyboard.press("ControlOrMeta+Enter");
  await explorer.answers(order.customer_email);
  const inEditor = "document.activeElement.closest('.graphiql-editors .CodeMirror') !== null";
  expect(await explorer.page.evaluate(inEditor)).toBe(true);
  await keyboard.press("Tab");
  expect(await explorer.page.evaluate(inEditor)).toBe(false);
});

test("prepared operations are valid, and change nothing as they are", async () => {
  const operations = groups.flatMap((group) => group.operations);
  await shop.app.make.product();
  const before = await everythingStored(shop.app);

  const codes: Record<string, string[]> = {};
  for (const { label, query, variables } of operations) {
    const { body } = await shop.app.http
      .post("/graphql")
      .set("Authorization", shop.app.asAdmin)
      .send({ query, variables: variables() });
    const errors = (body.errors ?? []) as { extensions: { code: string } }[];
    codes[label] = errors.map(({ extensions }) => extensions.code);
  }
  expect(codes).toEqual({
    "Waiting for payment": [],
    "Today's orders": [],
    "All orders": [],
    "Find orders by part of an address": ["BAD_USER_INPUT"],
    "Orders of a customer": ["BAD_USER_INPUT"],
    "An order with its items": ["BAD_USER_INPUT"],
    "A product with its prices": ["BAD_USER_INPUT"],
    Products: [],
    "Find a product": ["BAD_USER_INPUT"],
    "New product": ["BAD_USER_INPUT"],
    Categories: [],
    "New category": ["BAD_USER_INPUT"],
    Subscribers: [],
    Events: [],
    Endpoints: [],
    "New endpoint": ["BAD_USER_INPUT"],
    "Send events again": ["BAD_USER_INPUT"],
    "Audit log": [],
    "Catalogue with categories": [],
  });
  expect(await everythingStored(shop.app)).toEqual(before);
});

test("where documents are trusted, one is asked to sign in, and can work", async () => {
  const trusting = await startReplica(shop.app, { graphql: { documents: new Map() } });
  try {
    const explorer = await opened({}, trusting.url);
    await explorer.open("Catalogue with categories");
    await explorer.answers("FORBIDDEN");
    await explorer.sees("Sign in to run this operation");
    const view = explorer.page.getByRole("group", { name: "Answer as" });
    await view.getByText("Table").click();
    await explorer.page.getByRole("alert").getByText("Sign in to go on.").waitFor();
    await view.getByText("JSON").click();
    await explorer.signIn(shop.email, PASSWORD);
    await explorer.sees("Signed in as");
    // What was refused runs again.
    await explorer.answers('"products"');
    await explorer.click("Show Documentation Explorer");
    await explorer.page.getByText("Root Types").waitFor();
  } finally {
    await trusting.close();
  }
});
