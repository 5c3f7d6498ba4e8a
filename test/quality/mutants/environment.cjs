const SharedEnvironment = require("../../support/jest/environment.js");

/** The test environment of a lane: after the first failure in a file, the rest of the file is skipped. */
class LaneEnvironment extends SharedEnvironment {
  handleTestEvent({ name, test }) {
    if (name === "run_start") this.hasFailed = false;
    if (name === "test_fn_failure" || name === "hook_failure") this.hasFailed = true;
    if (name === "test_start" && this.hasFailed) test.mode = "skip";
  }
}

module.exports = LaneEnvironment;
