/** @check */

import type { BrowserContextOptions, Page, Route } from "playwright-core";
import { PASSWORD } from "../support/factories";
import { faultsIn, violationsIn } from "./accessibility";
import { explorers } from "./explorers";
import type { Visit } from "./visit";

jest.setTimeout(240_000);

const SCREENS: Record<string, BrowserContextOptions> = {
  "a desktop": { viewport: { width: 1440, height: 900 } },
  "a phone": { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

const shop = explorers();

beforeAll(async () => {
  await shop.app.make.order();
  await shop.app.make.product();
  await shop.app.make.webhookEndpoint();
});

/** What the page shows, each state reached from the one before. */
const states: [name: string, reach: (explorer: Visit) => Promise<unknown>][] = [
  ["signed out", (explorer) => explorer.sees("E-mail")],
  ["the menu", (explorer) => explorer.click("Operations")],
  [
    "a wrong password",
    (explorer) =>
      signIn(explorer, "not the password", "The e-mail address or the password is wrong."),
  ],
  ["a list", (explorer) => signIn(explorer, PASSWORD, "Signed in as")],
  ["selected rows", ({ page }) => page.getByLabel("Select all").check()],
  ["a question", (explorer) => explorer.click("Mark 1 paid")],
  ["a question about what can't be undone", closeAnd(cancelAgain)],
  ["what was refused for good", ({ page }) => cancelTooLate(page)],
  ["products", closeAnd(showProducts)],
  ["a form in a dialog", editProduct],
  ["what is wrong in it", saveWithoutName],
  ["what somebody else has changed", closeAnd(saveTooLate)],
  ["a history", closeAnd(showHistory)],
  ["a form", closeAnd((explorer) => explorer.open("New product"))],
  ["the password's dialog", (explorer) => explorer.click("Password…")],
  ["its faults", (explorer) => explorer.click("Change password")],
  ["endpoints", showEndpoints],
  ["deliveries", showDeliveries],
  ["a mutation that a row opens", showNewSecret],
  ["JSON", showJson],
  ["the documentation", (explorer) => explorer.click("Show Documentation Explorer")],
  ["the history", (explorer) => explorer.click("Show History")],
  ["the short keys", (explorer) => explorer.click("Open short keys dialog")],
  ["the settings", closeAnd((explorer) => explorer.click("Open settings dialog"))],
  ["a session that has ended", closeAnd(endSession)],
];

async function signIn(explorer: Visit, password: string, seen: string): Promise<void> {
  await explorer.page.keyboard.press("Escape");
  await explorer.signIn(shop.email, password);
  await explorer.sees(seen);
}

async function cancelAgain({ page }: Visit): Promise<void> {
  await page.getByRole("button", { name: "Cancel 1 order" }).click();
  await page.getByText("This can’t be undone.").waitFor();
}

async function cancelTooLate(page: Page): Promise<void> {
  const refused = { errors: [{ message: "No", extensions: { code: "CONFLICT" } }] };
  // The page may ask for other things at the same moment.
  const refuse = (route: Route) =>
    route.request().postData()?.includes("setOrderStatus")
      ? route.fulfill({ json: refused })
      : route.continue();
  await page.route("**/graphql", refuse);
  await page.getByRole("button", { name: "Cancel order" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.unroute("**/graphql", refuse);
}

async function endSession(explorer: Visit): Promise<void> {
  await shop.app.sql("UPDATE admins SET is_active = false WHERE email = $1", [shop.email]);
  const { page } = explorer;
  // On a phone, it lies over the answer.
  await explorer.click("Hide History");
  await page.getByRole("group", { name: "Answer as" }).getByText("Table").click();
  await explorer.open("Subscribers");
  await explorer.sees("Session expired, sign in again");
  await page.getByRole("alert").getByText("Sign in to go on.").waitFor();
}

async function showProducts(explorer: Visit): Promise<void> {
  await shop.app.make.product();
  await explorer.open("Products");
  // From the query, which would tell of the field below the pointer.
  await explorer.page.mouse.move(0, 0);
  await explorer.page.getByRole("heading", { name: /^Products,/ }).waitFor();
}

async function editProduct({ page }: Visit): Promise<void> {
  // On a phone, the buttons of a row are in a menu.
  const edit = page.locator(".row-end").getByText("Edit", { exact: true }).first();
  if (!(await edit.isVisible())) await page.getByRole("button", { name: /^More/ }).first().click();
  await edit.click();
  await page.getByRole("dialog").getByRole("textbox", { name: "Name", exact: true }).waitFor();
}

async function saveWithoutName({ page }: Visit): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("");
  await dialog.getByRole("textbox", { name: "Name", exact: true }).press("Enter");
  await dialog.getByText("This must be filled in.").waitFor();
}

const changePrices = () => shop.app.sql("UPDATE products SET price = price + 1");

async function saveTooLate(explorer: Visit): Promise<void> {
  const { page } = explorer;
  await editProduct(explorer);
  const price = page.getByRole("dialog").getByRole("textbox", { name: /^Price/ });
  await price.fill("7.70");
  await changePrices();
  await price.press("Enter");
  await page.getByRole("dialog").getByText("Nothing of yours is saved yet.").waitFor();
}

async function inMenu({ page }: Visit, action: string): Promise<void> {
  await page.getByRole("button", { name: /^More/ }).first().click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function showHistory(explorer: Visit): Promise<void> {
  await inMenu(explorer, "History");
  await explorer.page.getByRole("heading", { name: /^Entries, \d+ of/ }).waitFor();
}

async function showEndpoints(explorer: Visit): Promise<void> {
  const tries = [{ at: new Date(), status: 500, fault: null, answer: "Out of stock" }];
  await shop.app.sql("UPDATE webhook_deliveries SET tries = $1", [JSON.stringify(tries)]);
  await explorer.click("Go back");
  await explorer.open("Endpoints");
  await explorer.page.getByRole("heading", { name: "Webhook endpoints, 1 row" }).waitFor();
}

async function showDeliveries(explorer: Visit): Promise<void> {
  const { page } = explorer;
  const inRow = page.getByRole("button", { name: /^Deliveries, / });
  // A phone has all actions of a row in its menu.
  if (await inRow.isVisible()) await inRow.click();
  else await inMenu(explorer, "Deliveries");
  await page.getByRole("heading", { name: /^Deliveries, \d/ }).waitFor();
}

async function showNewSecret(explorer: Visit): Promise<void> {
  await explorer.open("Endpoints");
  await explorer.page.getByRole("heading", { name: "Webhook endpoints, 1 row" }).waitFor();
  await inMenu(explorer, "New secret");
  await explorer.page.getByRole("button", { name: "Rotate webhook secret" }).click();
  await explorer.page.getByRole("heading", { name: "Secret, 1 row" }).waitFor();
}

async function showJson(explorer: Visit): Promise<void> {
  const { page } = explorer;
  await explorer.click("Query");
  for (const view of await page.getByText("JSON", { exact: true }).all()) await view.click();
  await explorer.open("Catalogue with categories");
  await explorer.answers('"products"');
}

function closeAnd(reach: (explorer: Visit) => Promise<unknown>) {
  return async (explorer: Visit): Promise<void> => {
    await explorer.page.keyboard.press("Escape");
    await reach(explorer);
  };
}

test.each(Object.keys(SCREENS))(
  "everything can be used by everybody, in light and dark, on %s",
  async (screen) => {
    const options = { ...SCREENS[screen], asJson: false };
    const explorer = await shop.opened(undefined, "", options);
    const faults: Record<string, string[]> = {};
    for (const [name, reach] of states) {
      await reach(explorer);
      await explorer.page.emulateMedia({ colorScheme: "light" });
      const found = await faultsIn(explorer.page);
      // Of dark, only its colours differ.
      await explorer.page.emulateMedia({ colorScheme: "dark" });
      found.push(...(await faultsIn(explorer.page, ["color-contrast"])));
      if (found.length > 0) faults[name] = found;
    }
    expect(faults).toEqual({});
  },
);

test.each(["light", "dark"] as const)(
  "axe finds nothing wrong with the home page and the documentation, %s",
  async (colorScheme) => {
    const { page } = await shop.opened(undefined, "", { colorScheme });
    const check = async () => {
      const violations = await violationsIn(page, "html");
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    };
    await page.goto(shop.app.url);
    await check();
    await page.goto(`${shop.app.url}/docs`);
    await page.locator('[id$="-login"] .opblock-summary-control').click();
    await check();
    await page.getByRole("button", { name: "Authorize" }).first().click();
    await page.locator(".dialog-ux").waitFor();
    await check();
  },
);
