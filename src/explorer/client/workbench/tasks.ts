import * as React from "react";

/**
 * Things to do with what React shows, once it shows all that was set before: a task may then have React show
 * its own changes at once (`flushSync`), without overtaking others.
 */
export class Tasks {
  readonly #element: Element;
  #waiting: (() => void)[] = [];
  #settle: (() => void) | undefined;

  /** @param element says that it is busy as long as something is to be done */
  constructor(element: Element) {
    this.#element = element;
  }

  add(task: () => void): void {
    this.#waiting.push(task);
    this.#soon();
  }

  /** Forgets what has not been done. */
  clear(): void {
    this.#waiting = [];
    this.#settle = undefined;
    this.#soon();
  }

  /** To be used by the component whose state the tasks change, with whether they can. */
  use(isReady: boolean): void {
    const [settled, settle] = React.useReducer((count: number) => count + 1, 0);
    React.useLayoutEffect(() => {
      this.#settle = settle;
      // Not while React is still rendering.
      if (isReady) queueMicrotask(() => this.#doNext(settle));
    }, [isReady, settled]);
  }

  #doNext(settle: () => void): void {
    if (settle !== this.#settle) return;
    this.#waiting.shift()?.();
    this.#soon();
  }

  /** In a timer, React takes what is set for no more urgent than what it has yet to show. */
  #soon(): void {
    const isBusy = this.#waiting.length > 0;
    this.#element.setAttribute("aria-busy", String(isBusy));
    if (isBusy) setTimeout(() => this.#settle?.());
  }
}
