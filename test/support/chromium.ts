import { execFile } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";
import { chromium, type Browser } from "playwright-core";

type Environment = Record<string, string>;

/** A browser that starts on this machine. */
interface Executable {
  readonly file: string;
  readonly env: Environment;
}

const run = promisify(execFile);

const environment = process.env as Environment;

const advice =
  "Set CHROMIUM_PATH to an installed Chromium or Chrome (or its headless shell) to run the browser tests.";

/**
 * A headless Chromium with all web security on: the one that CHROMIUM_PATH names, or that of `@sparticuz/chromium`
 * (Linux x64).
 *
 * @throws Error that says what is missing, if neither runs
 */
export async function launchChromium(): Promise<Browser> {
  const { file, env } = await executable();
  return chromium.launch({
    executablePath: file,
    env,
    // A sandbox needs rights that containers and root seldom have. The tests visit only our own pages.
    chromiumSandbox: false,
    args: ["--disable-gpu", "--disable-quic", "--disable-sync"],
  });
}

async function executable(): Promise<Executable> {
  const installed = environment.CHROMIUM_PATH;
  if (installed) return checked({ file: installed, env: environment });
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(`No Chromium comes with the tests for this kind of machine. ${advice}`);
  }
  const folder = await unpacked();
  const file = path.join(folder, "chromium");
  if (!(await fault({ file, env: environment }))) return { file, env: environment };
  // The machine lacks libraries, which the package contains.
  const libraries = [path.join(folder, "lib"), environment.LD_LIBRARY_PATH].filter(Boolean);
  return checked({ file, env: { ...environment, LD_LIBRARY_PATH: libraries.join(":") } });
}

async function checked(candidate: Executable): Promise<Executable> {
  const reason = await fault(candidate);
  if (reason) throw new Error(`${candidate.file} does not run: ${reason}\n${advice}`);
  return candidate;
}

/** Why the browser does not start; undefined if it does. */
async function fault({ file, env }: Executable): Promise<string | undefined> {
  try {
    await run(file, ["--version"], { env });
    return undefined;
  } catch (failure) {
    return (failure as Error).message.trim();
  }
}

/** The folder with the browser of `@sparticuz/chromium`, unpacked once. */
async function unpacked(): Promise<string> {
  const root = path.join(path.dirname(require.resolve("@sparticuz/chromium")), "../..");
  const manifest = await readFile(path.join(root, "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  // Not in the system's folder for temporary files, where another user could have put a false one.
  const cache = path.join(root, "../../.cache");
  const folder = path.join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;

  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(path.join(cache, "chromium-"));
  try {
    await chmod(draft, 0o755);
    const unpack = (name: string, target: string) =>
      pipeline(
        createReadStream(path.join(root, "bin", name)),
        createBrotliDecompress(),
        createWriteStream(path.join(draft, target), { mode: 0o755 }),
      );
    await unpack("chromium.br", "chromium");
    await unpack("al2023.tar.br", "libraries.tar");
    await run("tar", ["-xf", "libraries.tar", "--no-same-owner"], { cwd: draft });
    await rm(path.join(draft, "libraries.tar"));
    await rename(draft, folder).catch((failure: unknown) => {
      if (!existsSync(folder)) throw failure; // otherwise another run was faster
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
