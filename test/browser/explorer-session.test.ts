import type { Page, Route } from "playwright-core";
import { startReplica } from "../support/app";
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

/** Lets the page have input from now on. */
const use = (page: Page) =>
  page.evaluate("void setInterval(() => dispatchEvent(new Event('pointerdown')), 100)");

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

test("no renewal goes beyond the end of the login, of which the page tells in time", async () => {
  const brief = await startReplica(shop.app, { tokens: { loginTtl: 2 * 3600 } });
  try {
    const explorer = await signedIn(brief.url);
    const renewals = renewalsOf(explorer);
    await use(explorer.page);
    for (const minutes of [50, 50, 15]) {
      const token = await tokenIn(explorer.page);
      await pass(explorer, minutes);
      await renewed(explorer.page, token);
    }
    await explorer.sees("Sign in again at");
    const count = renewals.length;
    await pass(explorer, 6);
    await explorer.sees("Session expired, sign in again");
    expect(renewals).toHaveLength(count);
  } finally {
    await shop.leave();
    await brief.close();
  }
});

/** Takes the locks away that tabs share: over plain HTTP, browsers have none. */
const withoutLocks = ({ page }: Visit) =>
  page.evaluate("Object.defineProperty(navigator, 'locks', { value: undefined })");

test.each([
  ["tabs share a lock", () => undefined],
  ["there are no locks", withoutLocks],
])("a renewal that fails is tried again, and ends nothing: %s", async (_where, prepare) => {
  const explorer = await signedIn();
  await prepare(explorer);
  const faults = [
    (route: Route) => route.fulfill({ status: 502, body: "no JSON" }),
    (route: Route) => route.fulfill({ json: unavailable() }),
  ];
  await explorer.page.route("**/graphql", (route) => {
    const fault = isRenewal(route.request().postData()) ? faults.shift() : undefined;
    return fault ? fault(route) : route.continue();
  });
  const token = await tokenIn(explorer.page);
  await use(explorer.page);
  await pass(explorer, 50);
  await renewed(explorer.page, token);
  await explorer.sees("Signed in as");
  // The console tells of an answer with this status.
  expect(explorer.complaints.splice(0).join()).toContain("502");
});

test("a renewal that is refused for a time is tried again after that time", async () => {
  const explorer = await signedIn();
  const { page } = explorer;
  const refused: Route[] = [];
  await page.route("**/graphql", (route) => {
    if (!isRenewal(route.request().postData()) || refused.length > 0) return route.continue();
    refused.push(route);
    return route.fulfill({ json: unavailable(300) });
  });
  const token = await tokenIn(page);
  const renewals = renewalsOf(explorer);
  await page.keyboard.press("Shift");
  await pass(explorer, 41);
  await eventually(() => refused.length === 1);
  // When a later answer has come, the page has the refusal.
  await explorer.open("Subscribers");
  await explorer.answers('"newsletterSubscribers"');
  await pass(explorer, 4);
  await page.clock.runFor(1000); // as long as it would ask the other tabs first
  await explorer.open("Products");
  await explorer.answers('"products"');
  expect(renewals).toHaveLength(1);
  await pass(explorer, 2);
  await renewed(page, token);
});

const unavailable = (retryAfter?: number) => ({
  errors: [
    {
      message: "Busy",
      extensions: { code: "SERVICE_UNAVAILABLE", http: { message: "Busy", retryAfter } },
    },
  ],
});

test("tabs share one session: its renewals, its end and the next one", async () => {
  const first = await signedIn();
  const renewals = renewalsOf(first);
  const second = await shop.otherTab(first);
  await second.sees("Signed in as");
  await use(first.page);
  await use(second.page);
  for (let renewal = 1; renewal <= 2; renewal += 1) {
    const token = await tokenIn(first.page);
    await pass(first, 50);
    await Promise.all([renewed(first.page, token), renewed(second.page, token)]);
    expect(await tokenIn(second.page)).toBe(await tokenIn(first.page));
  }
  expect(renewals).toHaveLength(2);

  await second.click("Sign out");
  await first.sees("Signed out");
  expect(await first.page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("eyJ");
  await first.signIn(shop.email, PASSWORD);
  await second.sees("Signed in as");
  expect(await second.page.evaluate("document.cookie")).toBe("");
  expect(await second.page.evaluate("JSON.stringify(localStorage)")).not.toContain("eyJ");
});

test("what is no message of the session changes nothing", async () => {
  const explorer = await shop.signedIn();
  const second = await shop.otherTab(explorer);
  await second.page.evaluate(`{
    const channel = new BroadcastChannel("tea-shop:session");
    for (const message of [null, 7, "ask", [], {}, { kind: "login" }, { kind: "signed-out" },
      { kind: "login", login: { id: 1, token: {}, email: "x", startedAt: Infinity } },
      { kind: "expired", token: null }, { kind: "signed-out", id: "another" }])
      channel.postMessage(message);
    channel.postMessage({ kind: "ask" });
  }`);
  await second.click("Operations");
  await explorer.sees("Signed in as");
  await explorer.open("Subscribers");
  await explorer.answers('"newsletterSubscribers"');
});
