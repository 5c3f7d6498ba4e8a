import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { watched } from "./watched";

/** A browser's visit of the explorer. */
export interface Visit {
  readonly page: Page;
  /** Errors of the page and its console, violations of the policy, requests to other hosts. */
  readonly complaints: string[];
  /** Clicks the button that bears the name, or starts with it. */
  click(name: string): Promise<void>;
  signIn(email: string, password: string): Promise<void>;
  /** Opens a prepared operation in a tab; variables replace those that are filled in. */
  open(label: string, variables?: object): Promise<void>;
  /** Runs the operation of the tab and waits for an answer that has the text. */
  run(text: string): Promise<void>;
  /** Waits for an answer that has the text. */
  answers(text: string): Promise<void>;
  /** The answer that is shown. */
  answer(): Promise<string>;
  /** Waits until the bar says so. */
  sees(text: string | RegExp): Promise<void>;
  close(): Promise<void>;
}

/** Writes an operation in the query editor, which is folded away on narrow screens. */
export async function writeQuery(page: Page, query: string): Promise<void> {
  const fold = page.getByRole("button", { name: "Query", exact: true });
  if ((await fold.getAttribute("aria-expanded")) === "false") await fold.click();
  await page.getByRole("region", { name: "Query Editor" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(query);
}

/** Makes the page show GraphQL's own side: answers and variables as JSON. */
const AS_JSON = `for (const view of ["answer", "inputs"])
  localStorage.setItem("tea-shop:view:" + view, "JSON")`;

const WITH_QUERY = `localStorage.setItem("tea-shop:view:query", "shown")`;

export interface VisitOptions extends BrowserContextOptions {
  /** Whether answers and variables are shown as JSON, rather than as tables and forms. */
  readonly asJson?: boolean;
  /** Whether the query is shown also where the page would fold it away. */
  readonly withQuery?: boolean;
}

/** Opens the address, in a context of its own. */
export async function visit(
  browser: Browser,
  address: string,
  { asJson = true, withQuery = true, ...options }: VisitOptions,
): Promise<Visit> {
  const { page, complaints, close } = await watched(browser, new URL(address).origin, options);
  if (asJson) await page.addInitScript({ content: AS_JSON });
  if (withQuery) await page.addInitScript({ content: WITH_QUERY });
  await page.goto(address);
  return { ...(await visitOf(page)), complaints, close };
}

/** What a visit does in a page: in another tab of its browser, for example. */
export async function visitOf(page: Page): Promise<Omit<Visit, "complaints" | "close">> {
  const button = (name: string) => page.getByRole("button", { name: new RegExp(`^${name}`) });
  const result = page.getByRole("region", { name: "Result Window" });
  const answers = (text: string) => result.getByText(text).first().waitFor();

  await button("Execute query").waitFor();
  // Until other tabs have had the time to answer, the page does not know whether somebody is signed in.
  await page.locator("#sign-in:visible, #signed-in:visible").waitFor();

  return {
    page,
    click: (name) => button(name).click(),
    signIn: async (email, password) => {
      const bar = page.getByRole("banner");
      await bar.getByLabel("E-mail").fill(email);
      await bar.getByLabel("Password", { exact: true }).fill(password);
      await button("Sign in").click();
    },
    open: async (label, variables) => {
      await button("Operations").click();
      await button(label).click();
      // It is opened a moment later, and what is typed until then is dropped.
      await page.locator("#workbench[aria-busy=true]").waitFor({ state: "detached" });
      if (!variables) return;
      await page.getByRole("region", { name: "Variables" }).click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(JSON.stringify(variables));
    },
    run: async (text) => {
      await button("Execute query").click();
      await answers(text);
    },
    answers,
    // An empty line holds a space without width.
    answer: async () =>
      (await result.locator(".CodeMirror-code").innerText()).replace("\u200b", ""),
    sees: async (text) => {
      await page.getByRole("banner").getByText(text).waitFor();
      // What it has led to is shown as well, such as the operation that follows a sign-in.
      await page.locator("#workbench[aria-busy=true]").waitFor({ state: "detached" });
    },
  };
}
