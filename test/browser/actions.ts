import type { Locator, Page } from "playwright-core";
import { PASSWORD } from "../support/factories";
import { explorers, type Explorers } from "./explorers";
import type { Visit } from "./visit";

/** The shop of a test file about actions, in which each test has orders, products and subscribers of its own. */
interface ActionsShop {
  readonly shop: Explorers;
  /** A page right after sign-in, which shows the orders that wait for payment. */
  readonly signedIn: (at?: { url?: string }) => Promise<Visit>;
  /** Makes so many orders. */
  readonly orders: (count: number) => Promise<{ id: number; customer_email: string }[]>;
  readonly statusesOf: (made: readonly { id: number }[]) => Promise<string[]>;
}

export function actionsShop(): ActionsShop {
  const shop = explorers();
  const { app } = shop;
  beforeEach(async () => {
    for (const table of ["order_items", "orders", "products", "newsletter_subscribers"]) {
      await app.sql(`DELETE FROM ${table}`);
    }
  });
  return {
    shop,
    signedIn: async ({ url = app.url } = {}) => {
      const explorer = await shop.opened(url, "", { asJson: false });
      await explorer.signIn(shop.email, PASSWORD);
      await explorer.sees("Signed in as");
      return explorer;
    },
    orders: async (count) => {
      const made = await Promise.all(
        Array.from({ length: count }, () => app.make.order({ total_amount: "21.50" })),
      );
      return made.sort((one, other) => one.id - other.id);
    },
    statusesOf: async (made) => {
      const ids = made.map(({ id }) => id);
      const rows = await app.sql<{ status: string }>(
        "SELECT status FROM orders WHERE id = ANY($1) ORDER BY id",
        [ids],
      );
      return rows.map(({ status }) => status);
    },
  };
}

export const button = (page: Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: true });

export const dialog = (page: Page): Locator => page.getByRole("dialog");

/** What the dialog shows as changed meanwhile: a row for each field, with its name and values. */
export async function differences(page: Page): Promise<string[][]> {
  const rows = dialog(page).getByRole("table").locator("tbody tr");
  await rows.first().waitFor();
  return Promise.all((await rows.all()).map((row) => row.locator("th, td").allInnerTexts()));
}

/** Runs an action in the menu of a row. */
export async function more(page: Page, rowName: string, action: string): Promise<void> {
  await button(page, `More, ${rowName}`).click();
  await page.getByRole("menuitem", { name: action }).click();
}

export async function select(page: Page, made: readonly { id: number }[]): Promise<void> {
  for (const { id } of made) await page.getByLabel(`Select order ${id}`, { exact: true }).check();
}

/** The ids that requests of the operation name, as they are sent. */
export function sentIds(page: Page, operation: string): number[] {
  const ids: number[] = [];
  page.on("request", (request) => {
    const body = request.postDataJSON() as { query?: string; variables?: { id: number } } | null;
    if (body?.query?.includes(`mutation ${operation}(`)) ids.push(body.variables?.id ?? 0);
  });
  return ids;
}

/** Clicks and keys that are counted; what is typed between them is not. */
export function counted(page: Page) {
  let count = 0;
  return {
    click: async (locator: Locator) => {
      count += 1;
      await locator.click();
    },
    press: async (key: string) => {
      count += 1;
      await page.keyboard.press(key);
    },
    count: () => count,
  };
}
