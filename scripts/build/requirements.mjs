// Ends the process with one sentence if the build can't work: the Node is too old, or packages are missing. It
// is imported, or run, before anything that needs either, so it is written for any Node that knows modules.
import { existsSync, readFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const { engines, dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL("package.json", root), "utf8"),
);

const numbersOf = (version) => /([0-9]+)\.([0-9]+)/.exec(version).slice(1).map(Number);
const [major, minor] = numbersOf(process.version);
const [leastMajor, leastMinor] = numbersOf(engines.node);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  end(
    `This is Node ${process.version}; the tea shop needs Node ${leastMajor}.${leastMinor} or later.`,
  );
}

// Without it, and without an installed browser, tests in a browser are skipped.
const OPTIONAL = "@sparticuz/chromium";
const missing = Object.keys({ ...dependencies, ...devDependencies }).filter(
  (name) => name !== OPTIONAL && !existsSync(new URL(`node_modules/${name}/package.json`, root)),
);
if (missing.length > 0) {
  const which = missing.length > 3 ? `${missing.length} packages` : missing.join(", ");
  end(`${which} can't be found in node_modules: run npm ci.`);
}

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}
