import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { chromium, type Browser } from "playwright-core";
import { installed, packaged, type Candidate } from "./browsers";
import { skippedBrowserTests } from "./server-url";

/** The major version of the package's Chromium. No older one has passed the tests. */
const OLDEST = 143;

/** In milliseconds. An installed one may hang, for example a snap that can't read the folder of its profile. */
const START_TIMEOUT = 20_000;

const shared = globalThis as {
  /** Whether the tests of the file can run; Jest's environment asks before it runs them. */
  canRun?: () => Promise<boolean>;
  /** What all test files of this worker process start. */
  chosenBrowser?: Promise<Candidate | undefined>;
};

const chosen = () => (shared.chosenBrowser ??= choose());

// A browser that should start but doesn't is no reason to skip: launchChromium() says what is wrong.
shared.canRun = () => chosen().then(Boolean, () => true);

/**
 * A headless browser with all web security on: the one that CHROMIUM_PATH names; otherwise an installed Chrome,
 * Chromium or Edge; otherwise that of `@sparticuz/chromium` (Linux x64). The tests of a file that imports this
 * function are skipped where there is none.
 *
 * @throws Error if the one of CHROMIUM_PATH, or that of the package, does not start
 */
export async function launchChromium(): Promise<Browser> {
  const candidate = await chosen();
  if (!candidate) throw new Error("There is no browser");
  return start(candidate);
}

async function choose(): Promise<Candidate | undefined> {
  const { platform, env } = process;
  if (env.CHROMIUM_PATH) return { file: env.CHROMIUM_PATH };
  const reasons: string[] = [];
  for (const candidate of installed({ platform, env, exists: existsSync })) {
    const reason = await fault(candidate);
    if (!reason) return candidate;
    reasons.push(`${candidate.file}: ${reason}`);
  }
  const candidate = await packaged(process);
  if (!candidate) {
    const found = reasons.length > 0 ? ` (${reasons.join("; ")})` : "";
    await writeFile(
      skippedBrowserTests(),
      `Browser tests were skipped, as no Chrome, Chromium or Edge starts here${found}. ` +
        "To run them, install Chrome or set CHROMIUM_PATH to a browser's program: npm test -- test/browser\n",
    );
    return undefined;
  }
  // With the machine's own libraries, if it has them.
  const plain = { file: candidate.file };
  return (await fault(plain)) ? candidate : plain;
}

/** Why a browser can't be used; undefined if it can. */
async function fault(candidate: Candidate): Promise<string | undefined> {
  try {
    const browser = await start(candidate);
    try {
      await (await browser.newPage()).title();
      const isOld = parseInt(browser.version(), 10) < OLDEST;
      return isOld ? `version ${browser.version()}, older than ${OLDEST}` : undefined;
    } finally {
      await browser.close();
    }
  } catch (failure) {
    return (failure as Error).message.split("\n", 1)[0];
  }
}

function start({ file, libraries }: Candidate): Promise<Browser> {
  const env = process.env as Record<string, string>;
  const folders = libraries && [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  return chromium.launch({
    executablePath: file,
    env: folders ? { ...env, LD_LIBRARY_PATH: folders } : env,
    timeout: START_TIMEOUT,
    // A sandbox needs rights that containers and root seldom have. The tests visit only our own pages.
    chromiumSandbox: false,
    args: ["--disable-gpu", "--disable-quic", "--disable-sync"],
  });
}
