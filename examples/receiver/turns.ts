/** Lets works of one key take turns: each begins when the one before it has ended, well or badly. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  async take(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const own = before.catch(() => undefined).then(work);
    this.#last.set(key, own);
    try {
      await own;
    } finally {
      if (this.#last.get(key) === own) this.#last.delete(key);
    }
  }
}
