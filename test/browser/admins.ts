import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { useApp, type TestApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { PASSWORD } from "../support/factories";
import { watched, type Watched } from "./watched";

/** The admin app of a shop, for one test file. */
export interface Admins {
  readonly app: TestApp;
  /** The address of an administrator, another one for each test. */
  readonly email: string;
  /** Opens a page of the app in a browser of its own. */
  opened(path?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Opens a page of the app, signed in. */
  signedIn(path?: string, options?: BrowserContextOptions): Promise<Page>;
}

/** Starts a shop and a browser for a test file. Whatever a test does, the browser has nothing to complain about. */
export function admins(app: TestApp = useApp()): Admins {
  let browser: Browser;
  let email: string;
  let visits: Watched[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  }, 120_000);

  beforeEach(async () => {
    ({ email } = await app.make.admin());
  });

  afterEach(async () => {
    const complaints = visits.flatMap((each) => each.complaints);
    await Promise.all(visits.map((each) => each.close()));
    visits = [];
    expect(complaints).toEqual([]);
  });

  afterAll(() => browser.close());

  const opened = async (path = "", options: BrowserContextOptions = {}) => {
    const visit = await watched(browser, app.url, options);
    visits.push(visit);
    await visit.page.goto(`${app.url}/admin${path}`);
    return visit.page;
  };
  return {
    app,
    get email() {
      return email;
    },
    opened,
    signedIn: async (path, options) => {
      const page = await opened(path, options);
      await signIn(page, email);
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      return page;
    },
  };
}

/** Signs in on the page that asks for it. */
export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Counts what somebody does: clicks, keys and words. */
export function counted(page: Page) {
  let count = 0;
  const one = <T>(deed: Promise<T>): Promise<T> => {
    count += 1;
    return deed;
  };
  return {
    click: (name: string | RegExp, role: "button" | "link" = "button") =>
      one(page.getByRole(role, { name, exact: typeof name === "string" }).click()),
    check: (label: string) => one(page.getByLabel(label).check()),
    press: (key: string) => one(page.keyboard.press(key)),
    type: (word: string) => one(page.keyboard.type(word)),
    count: () => count,
  };
}
