import { execFileSync } from "node:child_process";
import path from "node:path";

const read = (program, ...args) => execFileSync(program, args, { encoding: "utf8" }).trim();

/** The program of a major version of Node, which npm downloads once. */
const downloaded = (major) =>
  read("npm", "exec", "--yes", `--package=node@${major}`, "--", "which", "node");

/** The programs of Node that contenders run on, with their versions; a name is a major version or a program's path. */
export const nodesOf = (names) =>
  names.map((name) => {
    const program = /^\d+$/.test(name) ? downloaded(name) : path.resolve(name);
    return { program, version: read(program, "--version").slice(1) };
  });
