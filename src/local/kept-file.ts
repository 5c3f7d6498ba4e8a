import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../vocabulary/errors";

/**
 * Returns the content of a file in the data folder. If the file is missing, it is generated and written, completely
 * or not at all. If several processes do so at the same time, one of them wins. Only the owner can read the file
 * and the folder. The folder is created if it is missing.
 *
 * @throws OperatorError if this user can't read or write the file
 */
export async function readOrCreate(file: string, generate: () => string): Promise<string> {
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

/** The content of a text file; undefined if there is no file. */
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
    // Unlike a rename, a link never replaces a file that another process has created in the meantime.
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** The code of a system call's failure, such as `ENOENT`. */
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
