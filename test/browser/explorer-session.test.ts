import type { Page, Route } from "playwright-core";
import { startReplica } from "../support/app";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { explorers } from "./explorers";
import type { Visit } from "./visit";

jest.setTimeout(90_000);

const shop = explorers();

/**
 * A shop on the same database, whose tokens and logins last for some seconds. Its pages renew their tokens for
 * as long as they are open, so they are left before it closes.
 */
async function withTokens(
  tokens: { ttl: number; loginTtl?: number },
  run: (url: string) => Promise<void>,
): Promise<void> {
  const brief = await startReplica(shop.app, { tokens });
  try {
    await run(brief.url);
  } finally {
    await shop.leave();
    await brief.close();
  }
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

const renewed = ({ page }: Pick<Visit, "page">) =>
  page.waitForResponse((response) => isRenewal(response.request().postData()));

/** Lets the page have input from now on. */
const use = (page: Page) =>
  page.evaluate("void setInterval(() => dispatchEvent(new Event('pointerdown')), 100)");

const tokenIn = (page: Page) =>
  page.evaluate<string>(`JSON.parse(sessionStorage["tea-shop:session"] ?? "{}").token`);

test("the session goes on beyond the life of its token while the page is used", () =>
  withTokens({ ttl: 6 }, async (url) => {
    const explorer = await shop.signedIn(url);
    const first = await tokenIn(explorer.page);
    for (let renewal = 1; renewal <= 2; renewal += 1) {
      const answer = renewed(explorer);
      await explorer.page.keyboard.press("Shift");
      await answer;
    }
    await explorer.open("Subscribers");
    await explorer.answers('"newsletterSubscribers"');
    await explorer.sees("Signed in as");
    expect(await tokenIn(explorer.page)).not.toBe(first);
  }));

test("a page that is not used lets its token end, and keeps its work for the same administrator", () =>
  withTokens({ ttl: 3 }, async (url) => {
    const explorer = await shop.opened(url);
    const renewals = renewalsOf(explorer);
    await explorer.open("Find a product", { search: "unfinished work" });
    await explorer.signIn(shop.email, PASSWORD);
    await explorer.sees("Signed in as");
    await explorer.sees("Session expired, sign in again");
    expect(renewals).toEqual([]);

    const tab = explorer.page.getByRole("tab", { name: "Find a product" });
    await tab.click();
    await explorer.signIn(shop.email, PASSWORD);
    await explorer.sees("Signed in as");
    expect(await tab.getAttribute("aria-selected")).toBe("true");

    await explorer.sees("Session expired, sign in again");
    const other = await shop.app.make.admin();
    await explorer.signIn(other.email, PASSWORD);
    await tab.waitFor({ state: "detached" });
    expect(await explorer.page.content()).not.toContain("unfinished work");
  }));

test("no renewal goes beyond the end of the login, of which the page tells in time", () =>
  withTokens({ ttl: 4, loginTtl: 9 }, async (url) => {
    const explorer = await shop.signedIn(url);
    const renewals = renewalsOf(explorer);
    await use(explorer.page);
    await explorer.sees("Sign in again at");
    const count = renewals.length;
    await explorer.sees("Session expired, sign in again");
    expect(renewals).toHaveLength(count);
  }));

test("a renewal that fails is tried again, and ends nothing", () =>
  withTokens({ ttl: 15 }, async (url) => {
    const explorer = await shop.signedIn(url);
    const faults = [
      (route: Route) => route.fulfill({ status: 502, body: "no JSON" }),
      (route: Route) => route.fulfill({ json: unavailable }),
    ];
    await explorer.page.route("**/graphql", (route) => {
      const fault = isRenewal(route.request().postData()) ? faults.shift() : undefined;
      return fault ? fault(route) : route.continue();
    });
    const first = await tokenIn(explorer.page);
    await use(explorer.page);
    await eventually(async () => (await tokenIn(explorer.page)) !== first);
    await explorer.sees("Signed in as");
    // The console tells of an answer with this status.
    expect(explorer.complaints.splice(0).join()).toContain("502");
  }));

const unavailable = {
  errors: [{ message: "Busy", extensions: { code: "SERVICE_UNAVAILABLE", http: {} } }],
};

test("tabs share one session: its renewals, its end and the next one", () =>
  withTokens({ ttl: 6 }, async (url) => {
    const first = await shop.signedIn(url);
    const renewals = renewalsOf(first);
    const second = await shop.otherTab(first);
    await second.sees("Signed in as");
    await use(first.page);
    await use(second.page);
    for (let renewal = 1; renewal <= 2; renewal += 1) {
      await Promise.race([renewed(first), renewed(second)]);
    }
    expect(renewals).toHaveLength(2);
    const tokens = () => Promise.all([tokenIn(first.page), tokenIn(second.page)]);
    await eventually(async () => new Set(await tokens()).size === 1);

    await second.click("Sign out");
    await first.sees("Signed out");
    expect(await first.page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("eyJ");
    await first.signIn(shop.email, PASSWORD);
    await second.sees("Signed in as");
    expect(await second.page.evaluate("document.cookie")).toBe("");
    expect(await second.page.evaluate("JSON.stringify(localStorage)")).not.toContain("eyJ");
  }));

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
