/** @check */

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

  await second.open("Subscribers");
  await second.answers('"newsletterSubscribers"');
  await second.sees("Signed in as");
  await elsewhere.open("Subscribers");
  await elsewhere.answers("UNAUTHENTICATED");
  await elsewhere.sees("Session expired, sign in again");
  await elsewhere.signIn(shop.email, NEXT);
  await elsewhere.sees("Signed in as");
  await elsewhere.answers('"newsletterSubscribers"');
});

async function changePassword({ page }: Visit, current: string, next: string, again = next) {
  const dialog = page.getByRole("dialog");
  if (!(await dialog.isVisible())) await page.getByRole("button", { name: "Password…" }).click();
  await dialog.getByLabel("Current password").fill(current);
  await dialog.getByLabel("New password", { exact: true }).fill(next);
  await dialog.getByLabel("New password again").fill(again);
  await page.keyboard.press("Enter");
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
