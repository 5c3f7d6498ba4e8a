import { readFileSync } from "node:fs";
import type { AxeResults } from "axe-core";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { startApp, type TestApp } from "../support/app";
import { launchChromium } from "../support/chromium";
import { PASSWORD } from "../support/factories";
import { visit, type Visit } from "./visit";

jest.setTimeout(120_000);

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const SCREENS: Record<string, BrowserContextOptions> = {
  "a desktop": { viewport: { width: 1440, height: 900 } },
  "a phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

let browser: Browser;
let app: TestApp;
let email: string;
const started: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  started.push((browser = await launchChromium()));
  started.push((app = await startApp()));
  ({ email } = await app.make.admin());
  await app.make.order();
}, 120_000);

afterAll(async () => {
  for (const each of started) await each.close();
});

/** What the page shows, each state reached from the one before. */
const states: [name: string, reach: (explorer: Visit) => Promise<unknown>][] = [
  ["signed out", (explorer) => explorer.sees("E-mail")],
  ["the menu", (explorer) => explorer.click("Operations")],
  ["a wrong password", (explorer) => signIn(explorer, "not the password", "Invalid credentials")],
  ["a list", (explorer) => signIn(explorer, PASSWORD, "Signed in as")],
  ["a form", (explorer) => explorer.open("New product")],
  ["a folded query", (explorer) => explorer.click("Query")],
  ["the password's dialog", (explorer) => explorer.click("Password…")],
  ["its faults", (explorer) => explorer.click("Change password")],
  ["JSON", showJson],
  ["the documentation", (explorer) => explorer.click("Show Documentation Explorer")],
  ["a type", ({ page }) => page.getByRole("link", { name: "Query", exact: true }).click()],
  ["the history", (explorer) => explorer.click("Show History")],
  ["the short keys", (explorer) => explorer.click("Open short keys dialog")],
  ["the settings", closeAnd((explorer) => explorer.click("Open settings dialog"))],
];

async function signIn(explorer: Visit, password: string, seen: string): Promise<void> {
  await explorer.page.keyboard.press("Escape");
  await explorer.signIn(email, password);
  await explorer.sees(seen);
}

async function showJson(explorer: Visit): Promise<void> {
  const { page } = explorer;
  await explorer.click("Cancel");
  await explorer.click("Query");
  for (const view of await page.getByText("JSON", { exact: true }).all()) await view.click();
  await explorer.open("Catalogue with categories");
  await explorer.run('"products"');
}

function closeAnd(reach: (explorer: Visit) => Promise<unknown>) {
  return async (explorer: Visit): Promise<void> => {
    await explorer.page.keyboard.press("Escape");
    await reach(explorer);
  };
}

/** What is serious or critical, each with its rule and element. */
async function faultsOf({ page }: Visit): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

describe.each(Object.keys(SCREENS))("on %s", (screen) => {
  test.each(["light", "dark"] as const)(
    "everything can be used by everybody, %s",
    async (scheme) => {
      const options = { ...SCREENS[screen], colorScheme: scheme, asJson: false };
      const explorer = await visit(browser, `${app.url}/explorer`, options);
      const faults: Record<string, string[]> = {};
      for (const [name, reach] of states) {
        await reach(explorer);
        const found = await faultsOf(explorer);
        if (found.length > 0) faults[name] = found;
      }
      await explorer.close();
      expect(faults).toEqual({});
      expect(explorer.complaints).toEqual([]);
    },
  );
});
