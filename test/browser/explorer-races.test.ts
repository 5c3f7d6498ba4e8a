import type { Page } from "playwright-core";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { explorers } from "./explorers";
import { forms, write } from "./forms";
import type { Visit } from "./visit";

jest.setTimeout(60_000);

const shop = explorers();
const { opened } = forms(shop);

const follow = (page: Page, hash: string) =>
  page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

const linkToSearch = (search: string) =>
  `operation=FindProduct&variables=${encodeURIComponent(JSON.stringify({ search }))}`;

/** Holds back requests whose body has the text; the function that it returns lets them go. */
async function held(page: Page, text: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes(text)) await released;
    await route.continue();
  });
  return release;
}

/** The requests from now on whose body has the text. */
function sent(page: Page, text: string): unknown[] {
  const found: unknown[] = [];
  page.on("request", (request) => {
    if (request.postData()?.includes(text)) found.push(request);
  });
  return found;
}

const answered = (page: Page, text: string) =>
  page.waitForResponse((response) => response.request().postData()?.includes(text) ?? false);

/** Shows tables, with the orders that wait for payment, all of them selected. */
async function selected(explorer: Visit): Promise<void> {
  const { page } = explorer;
  await page.getByText("Table", { exact: true }).click();
  await page.getByLabel("Select all").check();
}

test("an answer that comes after a later request of its tab is not shown", async () => {
  const earlier = await shop.app.make.product({ name: "Earlier tea" });
  const later = await shop.app.make.product({ name: "Later tea" });
  const explorer = await shop.opened();
  const { page } = explorer;
  const release = await held(page, earlier.name);
  const asked = page.waitForRequest((each) => each.postData()?.includes(earlier.name) ?? false);
  await follow(page, linkToSearch(earlier.name));
  await asked;
  await follow(page, linkToSearch(later.name));
  await explorer.answers(later.name);
  const late = answered(page, earlier.name);
  release();
  await (await late).finished();
  await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
  expect(await explorer.answer()).not.toContain(earlier.name);

  const again = await held(page, "Still another");
  await follow(page, linkToSearch("Still another"));
  await follow(page, "operation=Catalogue");
  await explorer.answers("categor");
  const hidden = answered(page, "Still another");
  again();
  await (await hidden).finished();
  const last = await held(page, later.name);
  await follow(page, linkToSearch(later.name));
  // The tab shows nothing while its request waits; the page opens a link a moment after its address changes.
  await eventually(async () => (await explorer.answer()) === "");
  last();
  await explorer.answers(later.name);
});

test("choices that come after those for a later text are not shown", async () => {
  const first = await shop.app.make.product({ name: "First flush" });
  const second = await shop.app.make.product({ name: "Second flush" });
  const { page, form } = await opened();
  await write(page, "query One($productId: Int!) { product(id: $productId) { name } }");
  const choice = form.getByRole("combobox", { name: "Product" });
  const options = form.getByRole("option");
  const release = await held(page, '"search":"First"');
  const asked = page.waitForRequest((each) => each.postData()?.includes('"First"') ?? false);
  await choice.fill("First");
  await asked;
  await choice.fill("Second");
  await options.getByText(`${second.name} (${second.id})`).waitFor();
  const late = answered(page, '"search":"First"');
  release();
  await (await late).finished();
  await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
  expect(await options.allInnerTexts()).toEqual([`${second.name} (${second.id})`]);
  await choice.fill("First");
  await options.getByText(`${first.name} (${first.id})`).waitFor();
});

test("after a sign-in, no mutation runs in place of the query that was refused", async () => {
  const explorer = await shop.opened();
  const { page } = explorer;
  await page.getByRole("region", { name: "Query Editor" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(`query Reads { newsletterSubscribers { meta { total } } }
mutation Writes { createCategory(input: { name: "Written" }) { id } }`);
  await page.getByRole("tab", { name: /Reads|Writes/ }).waitFor();
  const run = async (name: string) => {
    await explorer.click("Execute query");
    await page.getByRole("menuitem", { name }).click();
    await explorer.answers("UNAUTHENTICATED");
  };
  await run("Reads");
  await run("Writes");
  const writes = sent(page, '"operationName":"Writes"');
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.answers('"orders"');
  expect(writes).toEqual([]);
});

test("a link waits until a round is over, and its answer stays in its own tab", async () => {
  for (let order = 1; order <= 3; order += 1) await shop.app.make.order();
  const explorer = await shop.signedIn();
  const { page } = explorer;
  await selected(explorer);
  const release = await held(page, "MarkPaid");
  await page.getByRole("button", { name: /^Mark \d+ paid/ }).click();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("1 of").waitFor();
  await follow(page, "operation=Catalogue");
  expect(
    await page.getByRole("tab", { name: "Catalogue with categories", selected: true }).count(),
  ).toBe(0);
  release();
  await explorer.sees(/orders are paid/);
  await page.getByRole("tab", { name: "Catalogue with categories", selected: true }).waitFor();
  await page.getByText("JSON", { exact: true }).last().click();
  await explorer.answers("products");
  expect(await explorer.answer()).not.toContain("PAID");
});

test("a round ends with the session, also where another one begins at once", async () => {
  for (let order = 1; order <= 3; order += 1) await shop.app.make.order();
  const explorer = await shop.signedIn();
  const { page } = explorer;
  const other = await shop.opened();
  const { email } = await shop.app.make.admin();
  await other.signIn(email, PASSWORD);
  await other.sees("Signed in as");
  const theirs = await other.page.evaluate<string>('sessionStorage["tea-shop:session"]');
  await selected(explorer);
  const release = await held(page, "MarkPaid");
  const paid = sent(page, "MarkPaid");
  await page.getByRole("button", { name: /^Mark \d+ paid/ }).click();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByText("1 of").waitFor();

  const second = await page.context().newPage();
  await second.goto(page.url());
  await second.evaluate(`new BroadcastChannel("tea-shop:session").postMessage({
    kind: "login", login: { ...${theirs}, startedAt: Date.now() } })`);
  await explorer.sees(email);
  const done = answered(page, "MarkPaid");
  release();
  await (await done).finished();
  const next = answered(page, "newsletterSubscribers");
  await explorer.open("Subscribers");
  await next;
  expect(paid).toHaveLength(1);
});

test("a password that was typed is gone once another tab has signed in", async () => {
  const first = await shop.opened();
  const second = await shop.otherTab(first);
  await second.page.getByRole("banner").getByLabel("Password", { exact: true }).fill(PASSWORD);
  await first.signIn(shop.email, PASSWORD);
  await second.sees("Signed in as");
  await second.click("Sign out");
  const field = second.page.getByRole("banner").getByLabel("Password", { exact: true });
  await field.waitFor();
  expect(await field.inputValue()).toBe("");
});
