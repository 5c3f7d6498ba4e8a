const SharedEnvironment = require("./environment.js");

/** The environment of runs that only ask whether a file fails: after its first failure, the rest is skipped. */
class UntilFailure extends SharedEnvironment {
  handleTestEvent(event) {
    super.handleTestEvent(event);
    const { name, test } = event;
    if (name === "run_start") this.hasFailed = false;
    if (name === "test_fn_failure" || name === "hook_failure") this.hasFailed = true;
    if (name === "test_start" && this.hasFailed) test.mode = "skip";
  }
}

module.exports = UntilFailure;
