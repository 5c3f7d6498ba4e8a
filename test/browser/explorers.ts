import type { Browser } from "playwright-core";
import { useApp, type TestApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { PASSWORD } from "../support/factories";
import { visit, visitOf, type Visit, type VisitOptions } from "./visit";

/** Another tab of a visit's browser. */
export type OtherTab = Omit<Visit, "complaints" | "close">;

/** A shop, and the visits of its explorer in one test file. */
export interface Explorers {
  readonly app: TestApp;
  /** The address of an administrator, another one for each test. */
  readonly email: string;
  /** Opens the page in a browser of its own: in the shop's, unless an address is given. */
  opened(url?: string, hash?: string, options?: VisitOptions): Promise<Visit>;
  signedIn(url?: string): Promise<Visit>;
  otherTab(of: Visit): Promise<OtherTab>;
  /** Ends all visits of the test, so that no page asks a service that is closed next. */
  leave(): Promise<void>;
}

/** Starts a shop and a browser for a test file. Whatever a test does, the browser has nothing to complain about. */
export function explorers(app: TestApp = useApp()): Explorers {
  let browser: Browser;
  let email: string;
  let visits: Visit[] = [];

  beforeAll(async () => {
    browser = await launchChromium();
  }, 120_000);

  beforeEach(async () => {
    ({ email } = await app.make.admin());
  });

  afterEach(async () => {
    const complaints = visits.flatMap((each) => each.complaints);
    await leave();
    visits = [];
    expect(complaints).toEqual([]);
  });

  afterAll(() => browser.close());

  const leave = async () => {
    await Promise.all(visits.map((each) => each.close()));
  };

  const opened = async (url = app.url, hash = "", options: VisitOptions = {}) => {
    const explorer = await visit(browser, `${url}/explorer${hash}`, options);
    visits.push(explorer);
    return explorer;
  };
  return {
    app,
    get email() {
      return email;
    },
    opened,
    signedIn: async (url) => {
      const explorer = await opened(url);
      await explorer.signIn(email, PASSWORD);
      await explorer.sees("Signed in as");
      return explorer;
    },
    otherTab: async ({ page }) => {
      const other = await page.context().newPage();
      other.setDefaultTimeout(20_000);
      await other.goto(page.url());
      return visitOf(other);
    },
    leave,
  };
}
