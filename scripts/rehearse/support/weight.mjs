import { lstat, readdir } from "node:fs/promises";
import path from "node:path";

/** How many bytes and files a folder has, those of its folders included. */
export async function weigh(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  let bytes = 0;
  for (const { parentPath, name } of files)
    bytes += (await lstat(path.join(parentPath, name))).size;
  return { bytes, files: files.length };
}
