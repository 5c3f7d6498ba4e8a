import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { execFile } from "node:child_process";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createBrotliDecompress } from "node:zlib";

type Environment = Readonly<Record<string, string | undefined>>;

/** A browser that may start on this machine. */
export interface Candidate {
  readonly file: string;
  /** Folders of libraries that the machine may lack. */
  readonly libraries?: string;
}

/** What {@link installed} looks at. */
interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  readonly exists: (file: string) => boolean;
}

const run = promisify(execFile);

const COMMANDS = [
  ...["google-chrome-stable", "google-chrome", "chromium", "chromium-browser"],
  ...["microsoft-edge-stable", "microsoft-edge"],
];
/** Where they are though PATH may lack the folder. */
const FOLDERS = ["/usr/bin", "/usr/local/bin", "/opt/google/chrome", "/snap/bin"];

const APPLICATIONS = ["Google Chrome", "Chromium", "Microsoft Edge"];

/** The Chrome, Chromium and Edge that are installed where each system has them, Chrome first. */
export function installed({ platform, env, exists }: Machine): Candidate[] {
  const [names, folders] =
    platform === "darwin"
      ? [
          APPLICATIONS.map((name) => `${name}.app/Contents/MacOS/${name}`),
          ["/Applications", path.join(env.HOME ?? "/", "Applications")],
        ]
      : [COMMANDS, [...(env.PATH ?? "").split(path.delimiter).filter(Boolean), ...FOLDERS]];
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return [...new Set(files)].filter(exists).map((file) => ({ file }));
}

/** The Chromium of `@sparticuz/chromium`, unpacked once; undefined where it does not run, or is not installed. */
export async function packaged({
  platform,
  arch,
}: Pick<NodeJS.Process, "platform" | "arch">): Promise<Candidate | undefined> {
  if (platform !== "linux" || arch !== "x64") return undefined;
  const root = packageFolder();
  if (root === undefined) return undefined;
  const folder = await unpacked(root);
  return { file: path.join(folder, "chromium"), libraries: path.join(folder, "lib") };
}

function packageFolder(): string | undefined {
  try {
    return path.join(path.dirname(require.resolve("@sparticuz/chromium")), "../..");
  } catch {
    return undefined;
  }
}

/** The folder with the browser of the package in this folder, unpacked once. */
async function unpacked(root: string): Promise<string> {
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
