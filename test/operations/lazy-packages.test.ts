import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(__dirname, "../..");
const { module: options } = JSON.parse(readFileSync(path.join(root, ".swcrc"), "utf8")) as {
  module: { lazy: string[] };
};

test("packages that no start needs are loaded only when they are used", () => {
  const script = "require('./dist/app'); console.log(Object.keys(require.cache).join('\\n'))";
  const loaded = execFileSync(process.execPath, ["--eval", script], {
    cwd: root,
    encoding: "utf8",
  });
  const isLoaded = (name: string): boolean => loaded.includes(`/node_modules/${name}/`);
  expect(isLoaded("express")).toBe(true);
  expect(options.lazy.filter(isLoaded)).toEqual([]);
  for (const name of options.lazy)
    expect(require.resolve(name)).toContain(`/node_modules/${name}/`);
});
