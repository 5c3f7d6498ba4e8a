// Plants many small faults by machine (Stryker's mutators) and reports those that no test notices:
// npm run mutants -- <rooms, folders or files> [--sample 0.3] [--seed 1] [--tests folders or files] [--fresh]
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Copy } from "../planted-faults/copy.mjs";
import { Lane } from "./lane.mjs";
import { Results } from "./results.mjs";
import { rooms } from "./rooms.mjs";

const root = path.resolve(import.meta.dirname, "../../..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: "string", default: "1" },
    seed: { type: "string", default: "1" },
    tests: { type: "string", multiple: true },
    lanes: { type: "string", default: String(availableParallelism()) },
    fresh: { type: "boolean", default: false },
  },
});
installPackages();
const { mutate } = await import("./instrument.mjs");
const { Compiler } = await import("./compiles.mjs");

const names = positionals.length > 0 ? positionals : Object.keys(rooms);
const results = new Results(root, "mutants", values);
const copy = new Copy(root);
process.once("exit", () => {
  copy.remove();
  results.save();
});
const server = await databaseServer();
for (const [signal, code] of /** @type {const} */ ([
  ["SIGINT", 130],
  ["SIGTERM", 143],
])) {
  process.once(signal, () => void server.stop().finally(() => process.exit(code)));
}
const lanes = Array.from({ length: Number(values.lanes) }, () => new Lane(copy.folder, server.url));
process.once("exit", () => lanes.forEach((lane) => lane.end()));
try {
  for (const name of names) await examine(name);
} finally {
  lanes.forEach((lane) => lane.end());
  await server.stop();
}

/** Tries the mutants of a room, a folder or a file. */
async function examine(name) {
  const room = rooms[name] ?? { sources: [name], tests: roomOf(name)?.tests ?? [], floor: 0.9 };
  const files = room.sources.flatMap((source) => filesBelow(source, ".ts"));
  const tests = (values.tests ?? room.tests).flatMap(testsOf);
  if (files.length === 0 || tests.length === 0) fail(`No files or no tests for ${name}`);
  const { instrumented, mutants } = await mutate(root, files);
  const sample = mutants.filter((mutant) => isDrawn(mutant) && !mutant.explained);
  const explained = mutants.filter((mutant) => isDrawn(mutant) && mutant.explained);
  say(
    `\n${name}: ${mutants.length} mutants in ${files.length} files, ${tests.length} files of tests`,
  );
  say(`drawn: ${sample.length + explained.length} (share ${values.sample}, seed ${values.seed})`);

  const compiler = new Compiler(root);
  const open = sample.filter((mutant) => !results.of(mutant, tests));
  for (const mutant of open.filter((mutant) => !compiler.accepts(mutant)))
    results.set(mutant, tests, { status: "refused" });
  const left = open.filter((mutant) => !results.of(mutant, tests));
  if (left.length > 0) await tryAll(left, instrumented, tests);
  report(name, room, { sample, explained, tests });
}

async function tryAll(left, instrumented, tests) {
  const originals = instrumented.map((file) => [file.name, copy.read(file.name)]);
  for (const { name, content } of instrumented) copy.write(name, content);
  try {
    await copy.build();
    const met = [instrumented, tests.map((file) => [file, copy.read(file)])];
    const coverage = await results.keep("coverage", met, () => cover(tests));
    const kills = new Map();
    let done = 0;
    const began = performance.now();
    await inLanes(left, async (lane, mutant) => {
      const plan = planFor(mutant, coverage, kills);
      const failure = plan.files.length > 0 ? await lane.run(plan) : undefined;
      const file = failure?.file ?? (failure && plan.files[0]);
      const status = failure ? "killed" : plan.files.length > 0 ? "survived" : "not met";
      results.set(mutant, tests, {
        status,
        ...(failure && { killedBy: { file, test: failure.test ?? failure } }),
      });
      if (file) kills.set(`${mutant.file} ${file}`, (kills.get(`${mutant.file} ${file}`) ?? 0) + 1);
      done += 1;
      if (done % 10 === 0) results.save();
      const seconds = Math.round((performance.now() - began) / 1000);
      say(`${done}/${left.length} ${seconds} s ${status.padEnd(8)} ${mutant.name.slice(0, 150)}`);
    });
  } finally {
    lanes.forEach((lane) => lane.end());
    for (const [name, content] of originals) copy.write(name, content);
  }
}

/** The mutants that each test file executes, and the time that it takes. */
async function cover(tests) {
  const coverage = [];
  await inLanes(tests, async (lane, file) => {
    let run = await lane.cover(file);
    if (run.failure) run = await lane.cover(file); // the machine may have been busy
    if (run.failure) fail(`${file} fails without a mutant: ${run.failure.test ?? run.failure}`);
    say(`${(run.time / 1000).toFixed(1).padStart(6)} s  ${file}`);
    coverage.push({ file, ...run });
  });
  return coverage;
}

/** The test files that execute a mutant: first those that have noticed others of its file, then the quick ones. */
function planFor({ id, file: source }, coverage, kills) {
  const meeting = coverage.filter(({ first }) => id in first.hits || first.ofChildren.includes(id));
  const killsOf = ({ file }) => kills.get(`${source} ${file}`) ?? 0;
  meeting.sort((one, other) => killsOf(other) - killsOf(one) || one.time - other.time);
  const seconds = meeting.reduce((sum, { time }) => sum + time, 0) / 1000;
  const hits = Math.max(0, ...meeting.map(({ first }) => first.hits[id] ?? 0));
  return {
    id,
    files: meeting.map(({ file }) => file),
    hitLimit: Math.max(10_000, hits * 100),
    // Executed in the first run but not in the second one: while modules are loaded, or something is created once.
    isStatic: meeting.some(
      ({ first, second }) => id in first.hits && !(second && id in second.hits),
    ),
    timeout: 30_000 + seconds * 4000,
  };
}

async function inLanes(work, run) {
  const queue = [...work];
  await Promise.all(
    lanes.map(async (lane) => {
      for (let next = queue.shift(); next; next = queue.shift()) await run(lane, next);
    }),
  );
}

function report(name, { floor }, { sample, explained, tests }) {
  const outcomes = sample.map((mutant) => ({ mutant, ...results.of(mutant, tests) }));
  const count = (status) => outcomes.filter((each) => each.status === status).length;
  const [killed, refused] = [count("killed"), count("refused")];
  const alive = outcomes.filter(({ status }) => status === "survived" || status === "not met");
  const share = killed / (killed + alive.length);
  for (const { mutant, status } of alive) {
    const { file, line, mutator, original, replacement } = mutant;
    say(`\n${status}: ${file}:${line} ${mutator}`);
    for (const each of short(original)) say(`  - ${each}`);
    for (const each of short(replacement)) say(`  + ${each}`);
  }
  say(
    `\n${name}: ${killed} killed, ${alive.length} survived, ${explained.length} explained, ` +
      `${refused} refused by the compiler: ${(share * 100).toFixed(1)} % (floor ${floor * 100} %)`,
  );
  if (share < floor) process.exitCode = 1;
}

function short(text) {
  const lines = text.split("\n");
  return lines.length > 6 ? [...lines.slice(0, 5), "…"] : lines;
}

function isDrawn({ name }) {
  const hash = createHash("sha256").update(`${values.seed} ${name}`).digest();
  return hash.readUInt32BE() / 2 ** 32 < Number(values.sample);
}

function roomOf(file) {
  return Object.values(rooms).find(({ sources }) => sources.some((each) => file.startsWith(each)));
}

function filesBelow(name, ending) {
  const whole = path.join(root, name);
  if (!existsSync(whole)) fail(`There is no ${name}`);
  if (statSync(whole).isFile()) return [name];
  return copy.list(name).filter((file) => file.endsWith(ending));
}

/** The test files whose path begins with this name. */
function testsOf(name) {
  const found = copy
    .list("test")
    .filter((file) => file.startsWith(name) && file.endsWith(".test.ts"));
  if (found.length === 0) fail(`There are no tests ${name}`);
  return found;
}

async function databaseServer() {
  const { TEST_DATABASE_URL } = process.env;
  if (TEST_DATABASE_URL) return { url: TEST_DATABASE_URL, stop: () => Promise.resolve() };
  await copy.build();
  const { startEmbeddedPostgres } = createRequire(import.meta.url)(
    path.join(copy.folder, "dist/embedded-postgres/index.js"),
  );
  const folder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const dataDir = mkdtempSync(path.join(folder, "tea-shop-mutants-"));
  const started = await startEmbeddedPostgres({ dataDir, password: "secret", durable: false });
  return { url: started.url(), stop: () => started.remove() };
}

/** Installs the packages of this folder, unless that was done for its lock file. */
function installPackages() {
  const folder = import.meta.dirname;
  const lock = readFileSync(path.join(folder, "package-lock.json"), "utf8");
  const installed = path.join(folder, "node_modules/.installed-lock.json");
  if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return;
  say("Installing the packages of test/quality/mutants …");
  const { status } = spawnSync("npm", ["--prefix", folder, "--silent", "ci", "--no-audit"], {
    stdio: "inherit",
  });
  if (status !== 0) fail("npm ci failed in test/quality/mutants");
  writeFileSync(installed, lock);
}

function say(line) {
  console.log(line);
}

function fail(message) {
  throw new Error(message);
}
