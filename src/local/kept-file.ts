import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../errors";

/**
 * What a file of the data folder holds, which only its owner can read: written at the first call,
 * whole or not at all, and read by later ones. Of several first calls at once one wins. The folder is
 * created, for its owner only, where it is missing.
 *
 * @throws OperatorError where this user can't
 */
export async function keptOnce(file: string, generate: () => string): Promise<string> {
  await createDataFolder(path.dirname(file));
  try {
    const kept = await readIfPresent(file);
    if (kept !== undefined) return kept;
    await publish(file, generate());
    return await readFile(file, "utf8");
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS", "ENOTDIR"].includes(codeOf(error))) throw error;
    throw new OperatorError(
      `${file} can't be read or written by this user (${String(error)}); ` +
        "start as the user who owns the data folder, or set DATA_DIR to another one",
    );
  }
}

/** The content of a text file; undefined where there is none. */
export async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function createDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(path.dirname(dataDir), { recursive: true });
    await mkdir(dataDir, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw new OperatorError(
      `The data folder ${dataDir} can't be created (${String(error)}); set DATA_DIR to another one`,
    );
  }
}

async function publish(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // Unlike a rename, a link never replaces what another process has published meanwhile.
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** The code of a system call's failure, such as `ENOENT`. */
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
