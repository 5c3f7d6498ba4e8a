import * as React from "react";

/**
 * Tasks that run one after another, each once React shows all earlier changes of state. So a task may make React
 * show its own changes at once (`flushSync`), and they don't overtake others.
 */
export class Tasks {
  readonly #element: Element;
  #waiting: (() => void)[] = [];
  #settle: (() => void) | undefined;

  /** @param element has `aria-busy` as long as tasks are waiting */
  constructor(element: Element) {
    this.#element = element;
  }

  add(task: () => void): void {
    this.#waiting.push(task);
    this.#soon();
  }

  /** Forgets the waiting tasks. */
  clear(): void {
    this.#waiting = [];
    this.#settle = undefined;
    this.#soon();
  }

  /**
   * A hook for the component whose state the tasks change.
   *
   * @param isReady whether tasks can run now
   */
  use(isReady: boolean): void {
    const [settled, settle] = React.useReducer((count: number) => count + 1, 0);
    React.useLayoutEffect(() => {
      this.#settle = settle;
      // In a microtask, because React may still be rendering.
      if (isReady) queueMicrotask(() => this.#doNext(settle));
    }, [isReady, settled]);
  }

  #doNext(settle: () => void): void {
    if (settle !== this.#settle) return;
    this.#waiting.shift()?.();
    this.#soon();
  }

  /** Uses a timer, because React shows a change from a timer only after earlier changes that it has yet to show. */
  #soon(): void {
    const isBusy = this.#waiting.length > 0;
    this.#element.setAttribute("aria-busy", String(isBusy));
    if (isBusy) setTimeout(() => this.#settle?.());
  }
}
