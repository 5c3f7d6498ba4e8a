import { readFile, rm } from "node:fs/promises";
import type { Config } from "jest";
import { skippedBrowserTests } from "./server-url";
import { tearDown } from "./teardown";

/** Ends what the run has used, and says what it has left out. */
export default async function globalTeardown(_: unknown, project: Config): Promise<void> {
  await tearDown();
  // The first pattern is that of packages.
  const left = (project.testPathIgnorePatterns?.length ?? 1) - 1;
  if (left > 0) {
    process.stderr.write(
      `Not run: ${left} test files, and repetitions in others. npm run check runs them all.\n`,
    );
  }
  const notice = skippedBrowserTests();
  process.stderr.write(await readFile(notice).catch(() => ""));
  await rm(notice, { force: true });
}
