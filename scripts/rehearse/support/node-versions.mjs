import { existsSync } from "node:fs";
import path from "node:path";

/** The versions of Node that are supported; packages bring their programs for Linux on x64. */
export const NODE_MAJORS = [20, 22, 24];

/**
 * The folder of a Node of this major version.
 *
 * @throws Error if there is none for this machine
 */
export function folderOfNode(major) {
  const folder = path.join(import.meta.dirname, `../node_modules/node${major}/bin`);
  if (existsSync(path.join(folder, "node"))) return folder;
  throw new Error(`No package has Node ${major} for this machine; it takes Linux on x64`);
}
