// Plants the listed faults in copies of the sources, one at a time, and reports which ones the tests notice:
// npm run faults -- [words of the names or areas of faults] [--fresh]. Without words, all of them.
import { createHash } from "node:crypto";
import path from "node:path";
import { parseArgs } from "node:util";
import { Results } from "../mutants/results.mjs";
import { Copy, fits } from "./copy.mjs";
import { areas } from "./areas.mjs";

const root = path.resolve(import.meta.dirname, "../../..");
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { fresh: { type: "boolean", default: false } },
});
const faults = Object.entries(areas)
  .flatMap(([area, list]) => list.map((fault) => ({ ...fault, area })))
  .filter(
    ({ area, name }) =>
      words.length === 0 || words.some((word) => `${area} ${name}`.includes(word)),
  );

if (faults.length === 0) fail(`No fault has a name with ${words.join(" or ")}`);
const stale = faults.filter((fault) => !fits(root, fault));
if (stale.length > 0) {
  fail(
    ["What these replace does not occur exactly once, or their tests are gone:"]
      .concat(stale.map(titleOf))
      .join("\n  "),
  );
}
const results = new Results(root, "faults", values);
const open = faults.filter((fault) => !resultOf(fault));
console.log(`${open.length} faults to try, ${faults.length - open.length} known from earlier runs`);
const copies = [new Copy(root), new Copy(root)];
process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
process.once("exit", () => copies.forEach((copy) => copy.remove()));

await assertGatesPass();
await assertTestsPass();
await tryAll();
report();

/**
 * Types and lint must not notice any fault. They never notice faults in SQL, so these are left out. Faults in
 * different files are checked together.
 */
async function assertGatesPass() {
  let left = open.filter(({ file }) => !file.endsWith(".sql"));
  const rounds = [];
  while (left.length > 0) {
    const together = left.filter(
      ({ file }, place) => left.findIndex((each) => each.file === file) === place,
    );
    left = left.filter((fault) => !together.includes(fault));
    rounds.push(together);
  }
  let complaints = "";
  await inCopies(rounds, async (copy, together) => {
    console.log(`types and lint of ${together.length} faults`);
    complaints += await copy.with(together, () => copy.gates(together));
  });
  if (complaints !== "")
    fail(`Types or lint notice a fault, which is then none for the tests:\n${complaints}`);
}

/** Without a fault, all tests must pass; otherwise every fault would seem to be noticed. */
async function assertTestsPass() {
  const files = [...new Set(open.flatMap(({ tests }) => tests))];
  console.log(`${files.length} files of tests without a fault`);
  const built = open.some((fault) => fault.built);
  const parts = copies.map((_, place) => files.filter((_, index) => index % 2 === place));
  const failures = [];
  await inCopies(
    parts.filter((part) => part.length > 0),
    async (copy, part) => failures.push(...(await copy.test(part, { built }))),
  );
  // The machine may have been busy, so failed tests get a second try.
  const again = failures.map(({ file }) => file);
  const left = again.length > 0 ? await copies[0].test(again, { built }) : [];
  if (left.length > 0)
    fail(["Tests that fail without any fault:", ...left.map(nameOf)].join("\n  "));
}

/** Runs the tests of every fault whose result is not known. */
async function tryAll() {
  await inCopies(open, async (copy, fault) => {
    const [failure] = await copy.with([fault], () =>
      copy.test(fault.tests, { ...fault, untilFailure: true }),
    );
    results.set(idOf(fault), fault.tests, {
      status: failure ? "killed" : "survived",
      ...(failure && { killedBy: failure }),
    });
    results.save();
    const by = failure ? `\n        by ${nameOf(failure)}` : "";
    console.log(`${failure ? "caught" : "MISSED"}  ${titleOf(fault)}${by}`);
  });
}

/** Each copy takes the next piece of work when it is done with one. */
async function inCopies(work, run) {
  const queue = [...work];
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = queue.shift(); next; next = queue.shift()) await run(copy, next);
    }),
  );
}

function report() {
  const missed = faults.filter((fault) => resultOf(fault)?.status !== "killed");
  console.log(`\n${faults.length - missed.length} of ${faults.length} planted faults caught`);
  for (const fault of missed)
    console.log(`  ${titleOf(fault)}: ${fault.unseen ?? "NOT EXPLAINED"}`);
  if (missed.some(({ unseen }) => unseen === undefined)) process.exitCode = 1;
}

/** The result of a fault, from this run or an earlier one, if it still holds. */
function resultOf(fault) {
  return results.of(idOf(fault), fault.tests);
}

/** How results name a fault: another text to replace, or to put there, is another fault. */
function idOf({ file, find, replace }) {
  const text = createHash("sha256")
    .update(JSON.stringify([find, replace]))
    .digest("base64url");
  return { name: `${file} ${text}`, file };
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
