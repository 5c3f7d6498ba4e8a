const asyncHooks = require("node:async_hooks");
const { TestEnvironment } = require("jest-environment-node");

/** The events at which a test or a hook is over, also one that has taken too long. */
const ENDS = ["test_fn_failure", "hook_failure", "test_done", "run_finish"];

/** What the test framework replaces for each file. */
const { console } = globalThis;
const { exit } = process;

/** The symbols that Node itself has in its globals. */
const symbols = new Set(Object.getOwnPropertySymbols(globalThis));

/** The environment of this process. */
let kept;

/** The storages that have been created since the last file. */
const storages = [];
asyncHooks.AsyncLocalStorage = class extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    storages.push(this);
  }
};

/**
 * Jest's environment for Node, one for all test files that a worker process runs, because modules that the
 * files share (see runtime.js) belong to the globals with which they were loaded. These are Node's own, as they are in
 * the service. Those of a context of node:vm are looked up by callbacks, which costs a twentieth of a run.
 */
class SharedEnvironment extends TestEnvironment {
  constructor(config, context) {
    if (kept && !isWatching(config)) return kept;
    super(config, context);
    kept = this;
    const settings = { config: config.projectConfig, global: globalThis };
    this.global = globalThis;
    this.moduleMocker = new this.moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new this.fakeTimersModern.constructor(settings);
  }

  /** Counts what has ended, so that nothing goes on asking for a test that is over (eventually.ts). */
  handleTestEvent({ name }, state) {
    if (ENDS.includes(name)) globalThis.endedTests = (globalThis.endedTests ?? 0) + 1;
    return name === "run_start" ? skipWhatCannotRun(state) : undefined;
  }

  /**
   * Forgets the test framework's data about a test file: its state, event handlers, time-out, and its storage, which
   * would make every later promise dearer on Node 20. A storage of src is used again where it is entered.
   */
  async teardown() {
    this.fakeTimersModern.useRealTimers();
    for (const storage of storages.splice(0)) storage.disable();
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      const { configurable } = Object.getOwnPropertyDescriptor(globalThis, symbol);
      if (configurable && !symbols.has(symbol)) delete globalThis[symbol];
    }
    delete globalThis.canRun;
    globalThis.console = console;
    process.exit = exit;
  }
}

/** Skips all tests of a file that says so (chromium.ts). Jest then runs none of its hooks. */
async function skipWhatCannotRun(state) {
  if (!globalThis.canRun || (await globalThis.canRun())) return;
  const skip = (block) => {
    if (block.type === "test") block.mode = "skip";
    block.children?.forEach(skip);
  };
  skip(state.rootDescribeBlock);
}

/** Whether Jest watches. Then each run begins with changed sources, which must be loaded again. */
const isWatching = ({ globalConfig }) => globalConfig.watch || globalConfig.watchAll;

module.exports = SharedEnvironment;
