// Plants the listed faults in copies of the sources, one at a time, and reports which ones the tests notice:
// npm run faults -- [words of the names or areas of faults]. Without words, all of them.
import path from "node:path";
import { Copy, fits } from "./copy.mjs";
import { areas } from "./areas.mjs";

const root = path.resolve(import.meta.dirname, "../../..");
const words = process.argv.slice(2);
const faults = Object.entries(areas)
  .flatMap(([area, list]) => list.map((fault) => ({ area, ...fault })))
  .filter(
    ({ area, name }) =>
      words.length === 0 || words.some((word) => `${area} ${name}`.includes(word)),
  );

if (faults.length === 0) fail(`No fault has a name with ${words.join(" or ")}`);
const copies = [new Copy(root), new Copy(root)];
process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
process.once("exit", () => copies.forEach((copy) => copy.remove()));

const stale = faults.filter((fault) => !fits(root, fault));
if (stale.length > 0) {
  fail(
    ["What these replace does not occur exactly once, or their tests are gone:"]
      .concat(stale.map(titleOf))
      .join("\n  "),
  );
}
await assertGatesPass();
await assertTestsPass();
const outcomes = await runAll();
report(outcomes);

/**
 * Types and lint must not notice any fault. They never notice faults in SQL, so these are left out. Faults in
 * different files are checked together.
 */
async function assertGatesPass() {
  let left = faults.filter(({ file }) => !file.endsWith(".sql"));
  while (left.length > 0) {
    const together = left.filter(
      ({ file }, place) => left.findIndex((each) => each.file === file) === place,
    );
    left = left.filter((fault) => !together.includes(fault));
    console.log(`types and lint of ${together.length} faults`);
    const complaints = await copies[0].with(together, (copy) => copy.gates(together));
    if (complaints !== "")
      fail(`Types or lint notice a fault, which is then none for the tests:\n${complaints}`);
  }
}

/** Without a fault, all tests must pass; otherwise every fault would seem to be noticed. */
async function assertTestsPass() {
  const files = [...new Set(faults.flatMap(({ tests }) => tests))];
  console.log(`${files.length} files of tests without a fault`);
  const options = { built: faults.some(({ built }) => built) };
  let failures = await copies[0].test(files, options);
  // The machine may have been busy, so failed tests get a second try.
  if (failures.length > 0) {
    failures = await copies[0].test(
      failures.map(({ file }) => file),
      options,
    );
  }
  if (failures.length > 0) {
    fail(["Tests that fail without any fault:", ...failures.map(nameOf)].join("\n  "));
  }
}

/** Runs the tests of every fault. Each copy takes the next fault when it is done with one. */
async function runAll() {
  const outcomes = new Map();
  const queue = [...faults];
  const work = async (copy) => {
    for (let fault = queue.shift(); fault; fault = queue.shift()) {
      const [failure] = await copy.with([fault], () =>
        copy.test(fault.tests, { ...fault, untilFailure: true }),
      );
      outcomes.set(fault, failure);
      console.log(
        `${failure ? "caught" : "MISSED"}  ${titleOf(fault)}${failure ? `\n        by ${nameOf(failure)}` : ""}`,
      );
    }
  };
  await Promise.all(copies.map(work));
  return outcomes;
}

function report(outcomes) {
  const missed = faults.filter((fault) => !outcomes.get(fault));
  console.log(`\n${faults.length - missed.length} of ${faults.length} planted faults caught`);
  for (const fault of missed)
    console.log(`  ${titleOf(fault)}: ${fault.unseen ?? "NOT EXPLAINED"}`);
  if (missed.some(({ unseen }) => unseen === undefined)) process.exitCode = 1;
}

function nameOf({ file, test }) {
  return `${file}: ${test}`;
}

function titleOf({ area, name, file }) {
  return `${area}: ${name} (${file})`;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
