/** @check */

import type { Page } from "playwright-core";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { explorers } from "./explorers";
import type { Visit } from "./visit";

jest.setTimeout(60_000);

const shop = explorers();

/** How much later it is for the service than it was when the test began, in milliseconds. */
let passed = 0;
beforeEach(() => {
  const now = Date.now.bind(Date);
  passed = 0;
  jest.spyOn(Date, "now").mockImplementation(() => now() + passed);
});
afterEach(() => jest.restoreAllMocks());

/** A page whose clock `pass` sets. */
async function opened(url?: string): Promise<Visit> {
  const explorer = await shop.opened(url);
  await explorer.page.clock.install();
  return explorer;
}

async function signedIn(url?: string): Promise<Visit> {
  const explorer = await opened(url);
  await signInFirst(explorer);
  return explorer;
}

/**
 * Waits for the list that the first sign-in opens, too: refused because time has passed meanwhile, it would run
 * again after the next sign-in.
 */
async function signInFirst(explorer: Visit): Promise<void> {
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.sees("Signed in as");
  await explorer.answers('"orders"');
}

/** Lets minutes pass for the service and for all tabs of a browser. Tokens last for an hour. */
async function pass({ page }: Visit, minutes: number): Promise<void> {
  passed += minutes * 60_000;
  await page.clock.fastForward(minutes * 60_000);
}

const isRenewal = (body: string | null): boolean => body?.includes("RenewToken") ?? false;

/** The renewals that all tabs of a browser ask for, from now on. */
function renewalsOf({ page }: Visit): unknown[] {
  const renewals: unknown[] = [];
  page.context().on("request", (request) => {
    if (isRenewal(request.postData())) renewals.push(request);
  });
  return renewals;
}

const tokenIn = (page: Page) =>
  page.evaluate<string>(`JSON.parse(sessionStorage["tea-shop:session"] ?? "{}").token`);

/** Resolves when the page has another token than this one. */
const renewed = (page: Page, token: string) =>
  eventually(async () => (await tokenIn(page)) !== token);

test("the session goes on beyond the life of its token while the page is used", async () => {
  const explorer = await signedIn();
  for (let renewal = 1; renewal <= 2; renewal += 1) {
    const token = await tokenIn(explorer.page);
    await explorer.page.keyboard.press("Shift");
    await pass(explorer, 50);
    await renewed(explorer.page, token);
  }
  await explorer.open("Subscribers");
  await explorer.answers('"newsletterSubscribers"');
  await explorer.sees("Signed in as");
});

test("a page that is not used lets its token end, and keeps its work for the same administrator", async () => {
  const explorer = await opened();
  const renewals = renewalsOf(explorer);
  await explorer.open("Find a product", { search: "unfinished work" });
  await signInFirst(explorer);
  await pass(explorer, 60);
  await explorer.sees("Session expired, sign in again");
  expect(renewals).toEqual([]);

  const tab = explorer.page.getByRole("tab", { name: "Find a product" });
  await tab.click();
  await explorer.signIn(shop.email, PASSWORD);
  await explorer.sees("Signed in as");
  expect(await tab.getAttribute("aria-selected")).toBe("true");

  await pass(explorer, 60);
  await explorer.sees("Session expired, sign in again");
  const other = await shop.app.make.admin();
  await explorer.signIn(other.email, PASSWORD);
  await tab.waitFor({ state: "detached" });
  expect(await explorer.page.content()).not.toContain("unfinished work");
});
