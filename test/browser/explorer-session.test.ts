import type { Browser, Page, Route } from "playwright-core";
import { startApp, startReplica, type TestApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { eventually } from "../support/eventually";
import { PASSWORD } from "../support/factories";
import { visit, visitOf, type Visit } from "./visit";

jest.setTimeout(90_000);

const NEXT = "another horse, another battery";

let browser: Browser;
let app: TestApp;
let email: string;
let visits: Visit[] = [];
const started: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  started.push((browser = await launchChromium()));
  started.push((app = await startApp()));
}, 120_000);

beforeEach(async () => {
  ({ email } = await app.make.admin());
});

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

async function opened(url = app.url, hash = ""): Promise<Visit> {
  const explorer = await visit(browser, `${url}/explorer${hash}`, {});
  visits.push(explorer);
  return explorer;
}

async function signedIn(url = app.url): Promise<Visit> {
  const explorer = await opened(url);
  await explorer.signIn(email, PASSWORD);
  await explorer.sees("Signed in as");
  return explorer;
}

/** Another tab of the same browser. */
async function otherTab({ page }: Visit): Promise<Omit<Visit, "complaints" | "close">> {
  const other = await page.context().newPage();
  other.setDefaultTimeout(20_000);
  await other.goto(page.url());
  return visitOf(other);
}

/** A shop on the same database, whose tokens and logins last for some seconds. */
async function withTokens(
  tokens: { ttl: number; loginTtl?: number },
  run: (url: string) => Promise<void>,
): Promise<void> {
  const brief = await startReplica(app, { tokens });
  try {
    await run(brief.url);
  } finally {
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
    const explorer = await signedIn(url);
    const first = await tokenIn(explorer.page);
    for (let renewal = 1; renewal <= 2; renewal += 1) {
      const answer = renewed(explorer);
      await explorer.page.keyboard.press("Shift");
      await answer;
    }
    await explorer.open("Subscribers");
    await explorer.run('"newsletterSubscribers"');
    await explorer.sees("Signed in as");
    expect(await tokenIn(explorer.page)).not.toBe(first);
  }));

test("a page that is not used lets its token end, and keeps its work for the same administrator", () =>
  withTokens({ ttl: 3 }, async (url) => {
    const explorer = await opened(url);
    const renewals = renewalsOf(explorer);
    await explorer.open("Find a product", { search: "unfinished work" });
    await explorer.signIn(email, PASSWORD);
    await explorer.sees("Signed in as");
    await explorer.sees("Session expired, sign in again");
    expect(renewals).toEqual([]);

    const tab = explorer.page.getByRole("tab", { name: "FindProduct" });
    await tab.click();
    await explorer.signIn(email, PASSWORD);
    await explorer.sees("Signed in as");
    expect(await tab.getAttribute("aria-selected")).toBe("true");

    await explorer.sees("Session expired, sign in again");
    const other = await app.make.admin();
    await explorer.signIn(other.email, PASSWORD);
    await tab.waitFor({ state: "detached" });
    expect(await explorer.page.content()).not.toContain("unfinished work");
  }));

test("no renewal goes beyond the end of the login, of which the page tells in time", () =>
  withTokens({ ttl: 4, loginTtl: 9 }, async (url) => {
    const explorer = await signedIn(url);
    const renewals = renewalsOf(explorer);
    await use(explorer.page);
    await explorer.sees("Sign in again at");
    const count = renewals.length;
    await explorer.sees("Session expired, sign in again");
    expect(renewals).toHaveLength(count);
  }));

test("a renewal that fails is tried again, and ends nothing", () =>
  withTokens({ ttl: 10 }, async (url) => {
    const explorer = await signedIn(url);
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
    const first = await signedIn(url);
    const renewals = renewalsOf(first);
    const second = await otherTab(first);
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
    await first.signIn(email, PASSWORD);
    await second.sees("Signed in as");
    expect(await second.page.evaluate("document.cookie")).toBe("");
    expect(await second.page.evaluate("JSON.stringify(localStorage)")).not.toContain("eyJ");
  }));

test("what is no message of the session changes nothing", async () => {
  const explorer = await signedIn();
  const second = await otherTab(explorer);
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
  await explorer.run('"newsletterSubscribers"');
});

test("an administrator changes the password, and only other browsers have to sign in again", async () => {
  const explorer = await signedIn();
  const second = await otherTab(explorer);
  const elsewhere = await signedIn();
  const held = await holding(second.page, "Subscribers");
  const heldMutation = await holding(explorer.page, "NewCategory");
  await second.open("Subscribers");
  await second.click("Execute query");
  await explorer.open("New category", { input: { name: "Refused" } });
  await explorer.click("Execute query");

  await changePassword(explorer, "not the password", NEXT);
  const dialog = explorer.page.getByRole("dialog");
  await dialog.getByText("Invalid credentials").waitFor();
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
  expect((await app.http.get("/categories")).text).not.toContain("Refused");
  await elsewhere.open("Subscribers");
  await elsewhere.run("UNAUTHENTICATED");
  await elsewhere.sees("Session expired, sign in again");
  await elsewhere.signIn(email, NEXT);
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
  const explorer = await opened();
  await explorer.open("New category", { input: { name: "Not signed in" } });
  await explorer.run("UNAUTHENTICATED");
  await explorer.signIn(email, PASSWORD);
  await explorer.answers('"orders"');
  expect((await app.http.get("/categories")).text).not.toContain("Not signed in");

  await explorer.click("Sign out");
  await explorer.open("Subscribers");
  await explorer.run("UNAUTHENTICATED");
  await explorer.signIn(email, PASSWORD);
  await explorer.answers('"newsletterSubscribers"');
  await explorer.page.getByRole("tab", { name: "Subscribers", selected: true }).waitFor();
});

test("a link opens a prepared operation: a query runs, a mutation does not", async () => {
  const order = await app.make.order();
  const explorer = await opened();
  const { page } = explorer;
  const follow = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  const mutations: unknown[] = [];
  const watch = (each: Page) =>
    each.on("request", (request) => {
      if (request.postData()?.includes("NewCategory")) mutations.push(request);
    });
  watch(page);

  const variables = JSON.stringify({ id: order.id });
  await follow(`operation=OrderWithItems&variables=${encodeURIComponent(variables)}`);
  await explorer.sees("Sign in to run this operation");
  expect(page.url()).toBe(`${app.url}/explorer`);
  await explorer.signIn(email, PASSWORD);
  await explorer.answers(order.customer_email);
  await inFront(page, "OrderWithItems");

  await follow(
    "operation=new+category&variables=%7B%22input%22%3A%7B%22name%22%3A%22Linked%22%7D%7D",
  );
  await inFront(page, "NewCategory");
  await page.getByRole("region", { name: "Variables" }).getByText("Linked").waitFor();

  const late = await opened(app.url, "#operation=NewCategory");
  watch(late.page);
  await inFront(late.page, "NewCategory");
  await late.signIn(email, PASSWORD);
  await late.sees("Signed in as");
  await inFront(late.page, "NewCategory");
  expect(mutations).toEqual([]);
});

const inFront = (page: Page, name: string) =>
  page.getByRole("tab", { name, selected: true }).waitFor();

test("what is wrong with a link is told as text", async () => {
  const explorer = await opened();
  const { page } = explorer;
  const follow = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await follow("operation=<img src=x onerror=alert(1)>");
  await explorer.sees("There is no operation <img src=x onerror=alert(1)>");
  await follow("operation=Catalogue&variables={");
  await explorer.sees("The variables of the link are not a JSON object");
  await follow(`operation=Catalogue&variables=${"x".repeat(9000)}`);
  await explorer.sees("The link is too long");
  await follow('operation=FindProduct&variables={"search":"<img src=x onerror=alert(1)>"}');
  await explorer.answers('"products"');
  expect(await page.locator("img[src=x]").count()).toBe(0);
  await follow("query={__typename}");
  expect(await page.getByRole("tab").allTextContents()).toEqual(["Catalogue", "FindProduct"]);
});

test("the link of a tab is copied, or shown where that is not allowed", async () => {
  const explorer = await opened();
  const { page } = explorer;
  await page.evaluate(
    "navigator.clipboard.writeText = async (text) => { globalThis.copied = text }",
  );
  await explorer.open("Find a product", { search: "green & white" });
  await explorer.click("Copy link");
  await explorer.sees("Link copied");
  const link = await page.evaluate<string>("globalThis.copied");
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error())");
  await explorer.click("Copy link");
  const field = page.getByLabel("Link to this operation");
  expect(await field.inputValue()).toBe(link);
  expect(await page.evaluate("getSelection().toString()")).toBe(link);

  const another = await opened();
  await another.page.goto(link);
  await another.answers('"products"');
  await another.page.getByText("green & white").waitFor();
});

test("signing out leaves nothing of the customers behind", async () => {
  const order = await app.make.order();
  const explorer = await signedIn();
  const { page } = explorer;
  const everything = `JSON.stringify([{ ...sessionStorage }, { ...localStorage }])
    + document.documentElement.outerHTML`;
  await explorer.open("Find a product", { search: order.customer_email });
  await explorer.run('"products"');
  await explorer.open("Today's orders");
  await explorer.run(order.customer_email);
  await explorer.click("Sign out");
  await explorer.sees("Signed out");
  // By then, whatever GraphiQL meant to store a moment later has been stored.
  const hasStored = `sessionStorage["graphiql:tabState"]?.includes("Catalogue") ?? false`;
  await eventually(() => page.evaluate<boolean>(hasStored));
  expect(await page.evaluate(everything)).not.toContain(order.customer_email);
  await explorer.click("Show History");
  await page.reload();
  await page.getByRole("tab", { name: "Catalogue" }).waitFor();
  expect(await page.evaluate(everything)).not.toContain(order.customer_email);
});
