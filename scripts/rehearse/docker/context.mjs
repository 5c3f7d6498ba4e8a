import { cp, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import dockerignore from "@balena/dockerignore";
import { ROOT, program } from "../support/program.mjs";

/** Copies the files that `docker build` would see: those of git that .dockerignore leaves. Returns their names. */
export async function copyContext(folder) {
  const ignored = await readFile(path.join(ROOT, ".dockerignore"), "utf8");
  const listed = await program("git", ["-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"]);
  const names = dockerignore().add(ignored).filter(listed.split("\0").filter(Boolean));
  for (const name of names) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await cp(path.join(ROOT, name), path.join(folder, name));
  }
  return names;
}
