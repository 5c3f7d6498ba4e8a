import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** A temporary folder of a test file. */
export interface Folder {
  path(name: string): string;
  read(name: string): string;
  /** Writes a file and returns its path. */
  write(name: string, content: string | Buffer): string;
}

/** Creates a folder for the tests of a file, and removes it afterwards. */
export function useFolder(): Folder {
  const folder = mkdtempSync(path.join(tmpdir(), "tea-files-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const pathOf = (name: string): string => path.join(folder, name);
  return {
    path: pathOf,
    read: (name) => readFileSync(pathOf(name), "utf8"),
    write: (name, content) => {
      writeFileSync(pathOf(name), content);
      return pathOf(name);
    },
  };
}
