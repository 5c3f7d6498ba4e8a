import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The names of all files in a folder, with those of its folders. */
export function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

/** What a file contains; nothing if it is not there. */
export function read(folder, name) {
  try {
    return readFileSync(path.join(folder, name));
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

export function hash(...parts) {
  const digest = createHash("sha256");
  for (const part of parts) digest.update(part).update("\0");
  return digest.digest("base64url");
}

/** The folder that is built. Files are written beside it and then moved, so that nobody reads half a file. */
export class Output {
  #unfinished = ".unfinished";

  constructor(folder) {
    this.folder = folder;
    mkdirSync(path.join(folder, this.#unfinished), { recursive: true });
  }

  read(name) {
    return read(this.folder, name);
  }

  write(name, content) {
    const temporary = path.join(this.folder, this.#unfinished, randomBytes(8).toString("hex"));
    const target = path.join(this.folder, name);
    writeFileSync(temporary, content);
    mkdirSync(path.dirname(target), { recursive: true });
    renameSync(temporary, target);
  }

  /**
   * Removes files whose source is gone: the dist/models.js of an older checkout would be loaded in place of
   * dist/models/index.js.
   */
  prune(kept) {
    const gone = filesOf(this.folder).filter(
      (name) => !kept.has(name) && !name.startsWith(this.#unfinished),
    );
    for (const name of gone) rmSync(path.join(this.folder, name), { force: true });
  }
}
