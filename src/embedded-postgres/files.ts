import { readFile, stat } from "node:fs/promises";

/** The code of a system call's failure, such as `ENOENT`. */
export const errorCode = (error: unknown): string | undefined =>
  (error as { code?: string } | undefined)?.code;

/** The content of a text file; undefined if there is no file. */
export const readIfPresent = (file: string): Promise<string | undefined> =>
  ifPresent(readFile(file, "utf8"));

/** The owner of a file or folder; undefined if it does not exist. */
export const ownerIfPresent = (file: string): Promise<{ uid: number; gid: number } | undefined> =>
  ifPresent(stat(file));

async function ifPresent<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
