import { source as axe, type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** Waits until nothing is being faded in: until then, its text has less contrast. A spinner never ends. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.then(() => undefined)),
  )`);
}

/**
 * The violations that axe finds in the element of a selector. Style sheets and media are not loaded again, because only
 * a rule about media needs that.
 *
 * @param rules the rules to check; all of them by default
 */
export async function violationsIn(
  page: Page,
  within: string,
  rules?: string[],
): Promise<AxeResults["violations"]> {
  if (await page.evaluate<boolean>("!globalThis.axe")) await page.evaluate(axe);
  await atRest(page);
  const options: RunOptions = { resultTypes: ["violations"], preload: false };
  if (rules) options.runOnly = rules;
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  );
  return violations;
}

/** The serious and critical violations in a page ({@link violationsIn}), each with its rule and element. */
export async function faultsIn(page: Page, rules?: string[]): Promise<string[]> {
  const violations = await violationsIn(page, "html", rules);
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
