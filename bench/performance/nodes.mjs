import { execFileSync } from "node:child_process";
import path from "node:path";
import { folderOfNode } from "../../scripts/rehearse/support/node-versions.mjs";
import { installPackages } from "../../scripts/rehearse/support/packages.mjs";

const isMajor = (name) => /^\d+$/.test(name);

/**
 * The programs of Node that contenders run on, with their versions. A name is a major version, whose program a package
 * of `scripts/rehearse` brings, or the path of a program.
 */
export async function nodesOf(names) {
  if (names.some(isMajor)) await installPackages();
  return names.map((name) => {
    const program = isMajor(name) ? path.join(folderOfNode(name), "node") : path.resolve(name);
    const version = execFileSync(program, ["--version"], { encoding: "utf8" }).trim().slice(1);
    return { program, version };
  });
}
