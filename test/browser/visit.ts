import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A browser's visit of the explorer. */
export interface Visit {
  readonly page: Page;
  /** Errors and warnings of the console, violations of the policy, requests to other hosts. */
  readonly complaints: string[];
  signIn(email: string, password: string): Promise<void>;
  /** Opens a prepared operation in a tab; variables replace those that are filled in. */
  open(label: string, variables?: object): Promise<void>;
  /** Runs the operation of the tab and waits for an answer that has the text. */
  run(answer: string): Promise<void>;
  /** Waits until the bar says so. */
  sees(text: string): Promise<void>;
  close(): Promise<void>;
}

const REPORT_VIOLATIONS = `document.addEventListener("securitypolicyviolation", (event) =>
  report("violation of " + event.violatedDirective + " by " + (event.blockedURI || event.sample)))`;

/** Opens the path, in a context of its own. */
export async function visit(
  browser: Browser,
  url: string,
  path = "/explorer",
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const complaints: string[] = [];
  const complain = (complaint: string): void => void complaints.push(complaint);
  await context.exposeFunction("report", complain);
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  context.on("weberror", (fault) => complain(fault.error().message));
  context.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complain(message.text());
  });
  context.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !address.startsWith("data:")) complain(address);
  });

  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(url + path);
  await page.getByRole("button", { name: /^Execute query/ }).waitFor();

  return {
    page,
    complaints,
    signIn: async (email, password) => {
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
    },
    open: async (label, variables) => {
      await page.getByRole("button", { name: "Operations" }).click();
      await page.getByRole("navigation").getByRole("button", { name: label }).click();
      if (!variables) return;
      await page.getByRole("region", { name: "Variables" }).click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(JSON.stringify(variables));
    },
    run: async (answer) => {
      await page.getByRole("button", { name: /^Execute query/ }).click();
      await page.locator(".result-window", { hasText: answer }).waitFor();
    },
    sees: (text) => page.getByRole("banner").getByText(text).waitFor(),
    close: () => context.close(),
  };
}
