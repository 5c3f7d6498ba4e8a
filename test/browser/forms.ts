import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { PASSWORD } from "../support/factories";
import type { Explorers } from "./explorers";
import { writeQuery, type Visit } from "./visit";

/** A visit of the explorer that shows variables as a form. */
interface FormVisit {
  readonly explorer: Visit;
  readonly page: Page;
  readonly form: Locator;
}

/** The visits with forms of one test file. */
interface Forms {
  /** Opens the page: the shop's, unless an address is given. */
  readonly opened: (options?: BrowserContextOptions, url?: string) => Promise<FormVisit>;
  readonly signedIn: (options?: BrowserContextOptions) => Promise<FormVisit>;
}

/** Opens the explorers of a test file with forms in the place of JSON. */
export function forms(shop: Explorers): Forms {
  const opened = async (options: BrowserContextOptions = {}, url?: string) => {
    const explorer = await shop.opened(url, "", { asJson: false, ...options });
    const { page } = explorer;
    return { explorer, page, form: page.getByRole("form", { name: "Variables" }) };
  };
  return {
    opened,
    signedIn: async (options) => {
      const all = await opened(options);
      await all.explorer.signIn(shop.email, PASSWORD);
      await all.page.getByRole("tab", { name: "Waiting for payment", selected: true }).waitFor();
      return all;
    },
  };
}

/** The variables as they stand in GraphiQL's editor. */
export async function variablesOf(page: Page): Promise<unknown> {
  const text = await page.evaluate(
    `document.querySelector(".graphiql-editor-tool .CodeMirror").CodeMirror.getValue()`,
  );
  return JSON.parse(text as string);
}

/** Puts an operation into the editor of a new tab. */
export async function write(page: Page, query: string): Promise<void> {
  await page.getByRole("button", { name: "New tab" }).click();
  await writeQuery(page, query);
}

/** Does something that runs the operation, and waits for its answer. */
export async function answerOf(page: Page, operation: string, act: () => Promise<void>) {
  const [response] = await Promise.all([
    page.waitForResponse((each) => each.request().postDataJSON()?.query.includes(` ${operation}`)),
    act(),
  ]);
  return response.json();
}

/** Presses the button of the form. */
export const run = (form: Locator) => form.locator(".input-run button").click();

/** What stands beside a field as wrong; empty if nothing does. */
export async function messageOf(field: Locator): Promise<string> {
  const id = await field.getAttribute("aria-errormessage");
  return id === null ? "" : field.page().locator(`[id="${id}"]`).innerText();
}

export const hasFocus = async (field: Locator): Promise<boolean> =>
  (await field.page().locator(":focus").getAttribute("id")) === (await field.getAttribute("id"));
