import { setImmediate, setTimeout } from "node:timers/promises";
import type { Handler, ShopEvent } from "./events";

export interface BacklogOptions {
  /** Is told of an event whose work is given up. */
  readonly giveUp: (error: unknown, event: ShopEvent) => void;
  /** Events that may wait. */
  readonly most?: number;
  /** How often the work of an event is tried. */
  readonly attempts?: number;
  /** Waits for so many milliseconds. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

const FIRST_DELAY = 1000;

/**
 * Takes events on at once and does their work after the answer, one after another, as they came.
 *
 * This one is in memory: what waits is lost if the process is killed, because the shop has its answer already. In a
 * shop of yours, `add` inserts a row into a table, in the transaction of the inbox, and the work is taken from there.
 */
export class Backlog {
  readonly #waiting: ShopEvent[] = [];
  readonly #work: Handler;
  readonly #options: Required<BacklogOptions>;
  #working: Promise<void> | undefined;

  constructor(work: Handler, options: BacklogOptions) {
    this.#work = work;
    this.#options = { most: 1000, attempts: 5, wait: (delay) => setTimeout(delay), ...options };
  }

  /**
   * The handler for a receiver.
   *
   * @throws Error if too many events wait: the shop is then answered 500 and sends the event again, later
   */
  readonly add: Handler = (event) => {
    if (this.#waiting.length >= this.#options.most) throw new Error("Too many events wait");
    this.#waiting.push(event);
    this.#working ??= this.#workOff();
  };

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    await this.#working;
  }

  async #workOff(): Promise<void> {
    // The answer goes first.
    await setImmediate();
    for (let event = this.#waiting[0]; event !== undefined; event = this.#waiting[0]) {
      await this.#try(event);
      this.#waiting.shift();
    }
    this.#working = undefined;
  }

  async #try(event: ShopEvent): Promise<void> {
    const { attempts, wait, giveUp } = this.#options;
    for (let made = 1; ; made++) {
      try {
        await this.#work(event);
        return;
      } catch (error) {
        if (made >= attempts) {
          giveUp(error, event);
          return;
        }
      }
      await wait(FIRST_DELAY * 2 ** (made - 1));
    }
  }
}
