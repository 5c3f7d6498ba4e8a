import type { Page } from "playwright-core";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { explorers } from "./explorers";
import type { Visit } from "./visit";

jest.setTimeout(90_000);

const NEXT = "another horse, another battery";

const shop = explorers();

test("an administrator changes the password, and only other browsers have to sign in again", async () => {
  const explorer = await shop.signedIn();
  const second = await shop.otherTab(explorer);
  const elsewhere = await shop.signedIn();
  const held = await holding(second.page, "Subscribers");
  const heldMutation = await holding(explorer.page, "NewCategory");
  await second.open("Subscribers");
  await explorer.open("New category", { input: { name: "Refused" } });
  await explorer.click("Execute query");

  await changePassword(explorer, "not the password", NEXT);
  const dialog = explorer.page.getByRole("dialog");
  await dialog.getByText("This is not your password.").waitFor();
  await changePassword(explorer, PASSWORD, "short");
  await dialog.getByText("Must have at least 12 characters").waitFor();
  await changePassword(explorer, PASSWORD, NEXT, `${NEXT}?`);
  await dialog.getByText("The two new passwords differ").waitFor();
  await explorer.page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await explorer.page.keyboard.press("Enter");
  await changePassword(explorer, PASSWORD, NEXT);
  await explorer.sees("Password changed");
  const focused = await explorer.page.evaluate("document.activeElement.id");
  expect(focused).toBe("password-button");

  await held.release();
  await second.answers('"newsletterSubscribers"');
  await second.sees("Signed in as");
  await heldMutation.release();
  await explorer.answers("UNAUTHENTICATED");
  await explorer.sees("Signed in as");
  expect((await shop.app.http.get("/categories")).text).not.toContain("Refused");
  await elsewhere.open("Subscribers");
  await elsewhere.answers("UNAUTHENTICATED");
  await elsewhere.sees("Session expired, sign in again");
  await elsewhere.signIn(shop.email, NEXT);
  await elsewhere.sees("Signed in as");
  await elsewhere.answers('"newsletterSubscribers"');
});

test("what is typed in the dialog stays, also right after it was closed and opened again", async () => {
  const explorer = await shop.signedIn();
  const { page } = explorer;
  const current = page.getByLabel("Current password");
  await page.getByRole("button", { name: "Password…" }).click();
  await current.fill("of the time before");
  await page.evaluate(REOPEN_AND_TYPE);
  await page.evaluate(NEXT_FRAME);
  await page.keyboard.press("Enter");
  await explorer.sees("Password changed");
  await page.evaluate(NEXT_FRAME);
  expect(await current.inputValue()).toBe("");
});

/** All at once, since the browser tells the page that the dialog has closed when it draws the next frame. */
const REOPEN_AND_TYPE = `{
  const find = (id) => document.getElementById(id);
  find("password-cancel").click();
  find("password-button").click();
  find("current-password").value += ${JSON.stringify(PASSWORD)};
  for (const id of ["new-password", "again-password"]) find(id).value += ${JSON.stringify(NEXT)};
}`;

/** The frame after the next one, because the callbacks of a frame may come before its events. */
const NEXT_FRAME =
  "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))";

async function changePassword({ page }: Visit, current: string, next: string, again = next) {
  const dialog = page.getByRole("dialog");
  if (!(await dialog.isVisible())) await page.getByRole("button", { name: "Password…" }).click();
  await dialog.getByLabel("Current password").fill(current);
  await dialog.getByLabel("New password", { exact: true }).fill(next);
  await dialog.getByLabel("New password again").fill(again);
  await page.keyboard.press("Enter");
}

/** Holds the first request of an operation back until it is released. */
async function holding(page: Page, operation: string): Promise<{ release(): Promise<void> }> {
  let hold: (release: () => void) => void;
  const held = new Promise<() => void>((resolve) => (hold = resolve));
  let isFirst = true;
  await page.route("**/graphql", (route) => {
    const isHeld = isFirst && route.request().postData()?.includes(operation);
    if (!isHeld) return route.fallback();
    isFirst = false;
    return new Promise<void>((resolve) => hold(() => resolve(route.continue())));
  });
  return { release: async () => (await held)() };
}

test("a query that was refused runs again after the sign-in, a mutation does not", async () => {
  const explorer = await shop.opened();
  await explorer.open("New category", { input: { name: "Not signed in" } });
  await explorer.run("UNAUTHENTICATED");
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.answers('"orders"');
  expect((await shop.app.http.get("/categories")).text).not.toContain("Not signed in");

  await explorer.click("Sign out");
  await explorer.open("Subscribers");
  await explorer.answers("UNAUTHENTICATED");
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.answers('"newsletterSubscribers"');
  await explorer.page.getByRole("tab", { name: "Subscribers", selected: true }).waitFor();
});

test.each(["here", "in another tab"])(
  "signing out %s leaves nothing of the customers behind",
  async (where) => {
    const order = await shop.app.make.order();
    const explorer = await shop.signedIn();
    const { page } = explorer;
    await explorer.open("Today's orders");
    await explorer.answers(order.customer_email);
    await explorer.open("Find a product", { search: order.customer_email });
    await explorer.run('"products"');
    const other = where === "here" ? explorer : await shop.otherTab(explorer);
    await page.evaluate(TYPE_UNTIL_SIGNED_OUT);
    await other.click("Sign out");
    const told = await page.evaluate<string[]>("globalThis.toldAfterSignOut");
    await explorer.sees("Signed out");
    expect(told.length).toBeGreaterThan(1);
    for (const text of told) expect(text).not.toContain(order.customer_email);
    await explorer.click("Show History");
    await page.reload();
    await page.getByRole("tab", { name: "Catalogue with categories" }).waitFor();
    expect(await page.evaluate(EVERYTHING)).not.toContain(order.customer_email);
  },
);

/** What a page stores and shows. */
const EVERYTHING = `JSON.stringify([{ ...sessionStorage }, { ...localStorage }])
  + document.documentElement.outerHTML`;

/**
 * Types in the variables until the page says that somebody has signed out, and promises what is stored and shown
 * at that moment, all that is stored from then on, and what there is at last: GraphiQL tells a tab its texts 100 ms
 * after the last key, and stores the tabs 500 ms later. So it always has tabs to store: from the second key on, a tab
 * has the text of the one before, and is not stored before the next one comes.
 */
const TYPE_UNTIL_SIGNED_OUT = `{
  const told = [];
  const { CodeMirror } = document.querySelector("[aria-label=Variables] .CodeMirror");
  let type;
  const typed = new Promise((resolve) => {
    let keys = 0;
    type = () => {
      CodeMirror.setValue(CodeMirror.getValue() + " ");
      keys += 1;
      if (keys === 2) resolve();
    };
  });
  const typing = setInterval(type, 150);
  globalThis.toldAfterSignOut = new Promise((resolve) => {
    new MutationObserver(() => resolve(told.push(${EVERYTHING})))
      .observe(document.querySelector("[role=status]"),
        { childList: true, characterData: true, subtree: true });
  }).then(async () => {
    clearInterval(typing);
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      told.push(value);
      setItem.call(this, key, value);
    };
    for (const pause of [100, 500]) await new Promise((resolve) => setTimeout(resolve, pause));
    return [...told, ${EVERYTHING}];
  });
  typed;
}`;

test("an entry of the menu begins anew and runs at once, in the one tab of its operation", async () => {
  const [paid, pending] = [await shop.app.make.order(), await shop.app.make.order()];
  const explorer = await shop.signedIn();
  await explorer.answers(paid.customer_email);
  await explorer.open("Find a product", { search: "half-typed" });
  await explorer.open("New category");
  await shop.app.sql("UPDATE orders SET status = 'PAID' WHERE id = $1", [paid.id]);
  await explorer.open("Waiting for payment");
  await explorer.answers(pending.customer_email);
  expect(await explorer.answer()).not.toContain(paid.customer_email);
  await explorer.open("Waiting for payment", { filter: { status: "PAID" } });
  await explorer.run(paid.customer_email);
  await explorer.open("Waiting for payment");
  await explorer.answers(pending.customer_email);

  // What lacks something waits for it.
  await explorer.open("Find a product");
  await explorer.page.getByRole("tab", { name: "Find a product", selected: true }).waitFor();
  expect(await explorer.answer()).toBe("");
  expect(await explorer.page.content()).not.toContain("half-typed");
  const tabs = explorer.page.getByRole("tab");
  const names = [
    "Catalogue with categories",
    "Waiting for payment",
    "Find a product",
    "New category",
  ];
  expect(await tabs.allTextContents()).toEqual(names);

  await explorer.page.getByRole("tab", { name: "New category" }).focus();
  await explorer.page.keyboard.press("Delete");
  await explorer.page.getByRole("tab", { name: "New category" }).waitFor({ state: "detached" });
});

test("a page that is loaded anew runs the query of its tab again, and never a mutation", async () => {
  const explorer = await shop.signedIn();
  const { page } = explorer;
  const mutations: unknown[] = [];
  page.on("request", (request) => {
    if (request.postData()?.includes("NewCategory(")) mutations.push(request);
  });
  const isStored = (name: string) =>
    eventually(() =>
      page.evaluate<boolean>(`(({ tabs, activeTabIndex }) =>
        tabs?.[activeTabIndex].operationName === "${name}"
      )(JSON.parse(sessionStorage["graphiql:tabState"] ?? "{}"))`),
    );
  await isStored("WaitingForPayment");
  const order = await shop.app.make.order();
  await page.reload();
  await explorer.answers(order.customer_email);

  await explorer.open("New category", { input: { name: "Once" } });
  await explorer.run('"Once"');
  await isStored("NewCategory");
  await page.reload();
  await page.getByRole("tab", { name: "New category", selected: true }).waitFor();
  await explorer.sees("Signed in as");
  await explorer.open("Subscribers");
  await explorer.answers('"newsletterSubscribers"');
  expect(mutations).toHaveLength(1);
});

test.each([
  [
    "login",
    "mutation Mine($i: LoginInput!) { login(input: $i) { __typename } }",
    { i: { email: "nobody@example.com", password: "a horse that is secret" } },
    "Invalid credentials",
  ],
  [
    "changePassword",
    `mutation Mine($now: String!, $next: String!) {
      changePassword(currentPassword: $now, newPassword: $next) { __typename }
    }`,
    { now: "a horse that is secret", next: "a battery that is secret" },
    "UNAUTHENTICATED",
  ],
])("a password in %s is not stored", async (_operation, query, variables, answer) => {
  const explorer = await shop.opened();
  await explorer.click("New tab");
  await explorer.page.getByRole("region", { name: "Variables" }).click();
  await explorer.page.keyboard.press("ControlOrMeta+a");
  await explorer.page.keyboard.insertText(JSON.stringify(variables));
  await explorer.page.getByRole("region", { name: "Query Editor" }).click();
  await explorer.page.keyboard.insertText(query);
  // The history takes the texts of the tab, which knows them a moment later.
  await explorer.page.getByRole("tab", { name: "Mine" }).waitFor();
  await explorer.run(answer);
  await explorer.open("Find a product", { search: "to be stored" });
  await explorer.run('"products"');
  const stored = () => explorer.page.evaluate<string>("JSON.stringify(sessionStorage)");
  const areStored = `sessionStorage["graphiql:tabState"]?.includes("to be stored") &&
    sessionStorage["graphiql:queries"]?.includes("FindProduct")`;
  await eventually(() => explorer.page.evaluate<boolean>(areStored));
  expect(await stored()).not.toContain("is secret");
  await explorer.page.reload();
  await explorer.page.getByRole("tab", { name: "Find a product", selected: true }).waitFor();
});

test("a phone folds the query away until it is wanted, and remembers that", async () => {
  const { page } = await shop.opened(undefined, undefined, {
    viewport: { width: 390, height: 844 },
    withQuery: false,
  });
  const query = page.getByRole("textbox", { name: "Query" });
  const isShown = () => page.locator(".graphiql-query-editor > .graphiql-editor").isVisible();
  expect(await isShown()).toBe(false);
  expect(await page.getByRole("button", { name: "Execute query" }).isVisible()).toBe(true);
  await page.getByRole("button", { name: "Query", expanded: false }).click();
  await query.waitFor({ state: "attached" });
  expect(await isShown()).toBe(true);
  await page.reload();
  await page.getByRole("button", { name: "Query", expanded: true }).waitFor();
  await query.waitFor({ state: "attached" });
  expect(await isShown()).toBe(true);
});
