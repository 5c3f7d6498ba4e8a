/** What must be undone at the end of a run, however it ends; last added, first undone. */
export class Cleanup {
  #actions = [];

  add(action) {
    this.#actions.unshift(action);
  }

  /** Undoes everything when a signal comes, and ends the process then. */
  runAtSignals() {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      process.on(signal, () => void this.run().finally(() => process.exit(1)));
    }
  }

  /** Undoes everything; a failure does not stop the rest. */
  async run() {
    for (const action of this.#actions.splice(0)) {
      try {
        await action();
      } catch (fault) {
        console.error(fault);
      }
    }
  }
}
