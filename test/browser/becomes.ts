import type { Page } from "playwright-core";
import { eventually } from "../support/eventually";

/**
 * Resolves when an expression in the page is true. Playwright's own `waitForFunction` evaluates it in the page, whose
 * policy forbids that, whenever it isn't true at once.
 */
export const becomes = (page: Page, expression: string): Promise<unknown> =>
  eventually(() => page.evaluate(`Boolean(${expression})`));
