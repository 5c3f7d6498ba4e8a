// The process of a lane (lane.mjs): runs test files, one request after another, with a mutant switched on.
const childProcess = require("node:child_process");
const { mkdtempSync, readdirSync, readFileSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const path = require("node:path");

process.env.TEST_REPETITIONS = "all"; // as `npm run check` has it
const root = process.cwd();
const { runCLI } = require(path.join(root, "node_modules/jest"));
const environment = path.join(__dirname, "../../support/jest/until-failure.js");
const Environment = require(environment);
const config = { ...require(path.join(root, "jest.config.js")), rootDir: root };
delete config.globalTeardown; // the databases go with their server
delete config.coverageThreshold;
config.testEnvironment = environment;

/** The object in the tests' globals by which mutants in the instrumented code are switched on and counted. */
let switchboard;
const ofTests = Environment.prototype.setup;
Environment.prototype.setup = async function () {
  await ofTests.call(this);
  switchboard = this.global.__stryker__ ??= {};
  if (requested) Object.assign(switchboard, requested);
};
let requested;

/** Where processes that tests start write down their executed mutants. They get the active mutant as well. */
let coverageFolder;
const { spawn } = childProcess;
childProcess.spawn = function (command, args, options = {}) {
  const given = options.env ?? process.env;
  const env = { ...given };
  if (requested?.activeMutant) env.__STRYKER_ACTIVE_MUTANT__ = requested.activeMutant;
  if (coverageFolder) {
    env.MUTANT_COVERAGE = coverageFolder;
    const preload = `--require ${path.join(__dirname, "child-coverage.cjs")}`;
    env.NODE_OPTIONS = `${given.NODE_OPTIONS ?? ""} ${preload}`;
  }
  return spawn.call(this, command, args, { ...options, env });
};

process.on("message", (request) => {
  void answer(request).then(
    (result) => process.send(result),
    (error) => process.send({ error: error.stack }),
  );
});
process.on("disconnect", () => process.exit());

async function answer({ files, mutant, hitLimit, isCoverage }) {
  requested = { activeMutant: mutant, hitCount: mutant && 0, hitLimit, isCounting: isCoverage };
  if (mutant) process.env.__STRYKER_ACTIVE_MUTANT__ = mutant;
  else delete process.env.__STRYKER_ACTIVE_MUTANT__;
  if (switchboard) Object.assign(switchboard, requested);
  const covered = isCoverage && startCoverage();
  const outcome = { failure: undefined, times: {} };
  for (const file of files) {
    const began = performance.now();
    outcome.failure = await failureIn(file);
    outcome.times[file] = performance.now() - began;
    if (outcome.failure) break;
  }
  return covered ? { ...outcome, ...covered() } : outcome;
}

/** The first failure in a test file; undefined if all tests pass. */
async function failureIn(file) {
  const argv = {
    _: [file],
    $0: "",
    config: JSON.stringify(config),
    ci: true,
    runInBand: true,
    runTestsByPath: true,
    silent: true,
    watchman: false,
  };
  const { results } = await runCLI(argv, [root]);
  delete config.globalSetup; // done once for all
  const [result] = results.testResults;
  if (results.success && results.numPassedTests > 0) return undefined;
  const test = result?.testResults.find(({ status }) => status === "failed");
  return { file, test: test?.fullName ?? "the whole file" };
}

/** Begins to record which mutants are executed. Returns a function that ends it and returns the record. */
function startCoverage() {
  coverageFolder = mkdtempSync(path.join(tmpdir(), "mutant-coverage-"));
  for (const id of Object.keys(metHere())) delete metHere()[id];
  return () => {
    const whole = readdirSync(coverageFolder).filter((name) => name.endsWith(".json"));
    const ofChildren = whole.flatMap((name) =>
      JSON.parse(readFileSync(path.join(coverageFolder, name), "utf8")),
    );
    rmSync(coverageFolder, { recursive: true });
    coverageFolder = undefined;
    return { hits: { ...metHere() }, ofChildren: [...new Set(ofChildren)] };
  };
}

const metHere = () => switchboard?.mutantCoverage?.static ?? {};
