import { source as axe, type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** Waits for what is being faded in: until then its text has less contrast. A spinner never ends. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.then(() => undefined)),
  )`);
}

/**
 * What is serious or critical in a page, each with its rule and element. Style sheets and media are not loaded once
 * more, as only a rule about media asks for that.
 *
 * @param rules those that are looked for; all of them if it is left out
 */
export async function faultsIn(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (await page.evaluate<boolean>("!globalThis.axe")) await page.evaluate(axe);
  const options = { resultTypes: ["violations"], preload: false, ...(rules && { runOnly: rules }) };
  await atRest(page);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
