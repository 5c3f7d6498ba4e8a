import { source as axe, type AxeResults, type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/**
 * Waits until nothing is being faded in: until then, its text has less contrast. A spinner never ends. What has just
 * changed begins to move with the next frame.
 */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
  await page.evaluate(`Promise.allSettled(
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.then(() => undefined)),
  )`);
}

/**
 * The serious and critical violations that axe finds in the element of a selector, each with its rule and element.
 * Style sheets and media are not loaded again, because only a rule about media needs that.
 */
export async function faultsIn(page: Page, within = "html"): Promise<string[]> {
  if (await page.evaluate<boolean>("!globalThis.axe")) await page.evaluate(axe);
  await atRest(page);
  const options: RunOptions = { resultTypes: ["violations"], preload: false };
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  );
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
