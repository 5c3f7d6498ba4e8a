import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** A page in a context of its own, and what the browser complains about in it. */
export interface Watched {
  readonly page: Page;
  /** Errors of the page and its console, violations of the policy, requests to other hosts. */
  readonly complaints: string[];
  readonly close: () => Promise<void>;
}

const REPORT_VIOLATIONS = `document.addEventListener("securitypolicyviolation", (event) =>
  report("violation of " + event.violatedDirective + " by " + event.blockedURI))`;

/** Opens an empty page that may make requests to one origin only. */
export async function watched(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const complaints: string[] = [];
  const complain = (complaint: string): void => void complaints.push(complaint);
  await context.exposeFunction("report", complain);
  await context.addInitScript({ content: REPORT_VIOLATIONS });
  context.on("weberror", (fault) => complain(fault.error().message));
  context.on("console", (message) => {
    // A conflict and a question who it is are answers that a page has to expect.
    if (message.type() === "error" && !/status of 40[39]/.test(message.text()))
      complain(message.text());
  });
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== origin) complain(`request to ${url.href}`);
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return { page, complaints, close: () => context.close() };
}
