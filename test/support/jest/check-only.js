const { readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");

const TESTS = path.resolve(__dirname, "../..");

/** The first line of a test file that `npm test` leaves to `npm run check`. */
const CHECK = "/** @check */\n";

/** These files, as patterns of paths. */
module.exports = readdirSync(TESTS, { recursive: true })
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => path.join(TESTS, name))
  .filter((file) => readFileSync(file, "utf8").startsWith(CHECK))
  .map((file) => `^${file.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
