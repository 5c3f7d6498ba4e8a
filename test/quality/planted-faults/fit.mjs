// Checks in a moment that every planted fault, and every mutant that is explained, still finds its text in src:
// npm run faults:fit. What nobody could plant any more would be believed to be caught.
import path from "node:path";
import { explained } from "../mutants/explained.mjs";
import { areas } from "./areas.mjs";
import { fits } from "./copy.mjs";

const root = path.resolve(import.meta.dirname, "../../..");

const faults = Object.entries(areas).flatMap(([area, list]) =>
  list.map((fault) => ({ title: `${area}: ${fault.name}`, ...fault })),
);
const mutants = explained.map((each) => ({ title: `explained: ${each.why}`, ...each, tests: [] }));
const stale = [...faults, ...mutants].filter((each) => !fits(root, each));
for (const { title, file } of stale) console.error(`${title} (${file})`);
if (stale.length > 0) {
  console.error("What these replace does not occur exactly once, or their tests are gone.");
  process.exitCode = 1;
}
