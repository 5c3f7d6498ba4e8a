/** What must be undone at the end of a run, however it ends; last added, first undone. */
export class Cleanup {
  #actions = [];

  add(action) {
    this.#actions.unshift(action);
  }

  /** Undoes everything; one failure keeps nothing else from being undone. */
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
