import { Failure } from "../api/post";

/**
 * The question who somebody is, before something that hurts. All requests of this tab that need the answer wait for the
 * same one, and the dialog in the layout asks it. Dispatches `change`, and `lead` when a second factor must be set up
 * before anything else.
 */
class Confirmation extends EventTarget {
  #waiting: ((isGiven: boolean) => void)[] = [];

  readonly isAsked = (): boolean => this.#waiting.length > 0;

  /** Resolves with true when it was answered. @throws Failure if somebody does not want to */
  async ask(): Promise<true> {
    const isGiven = await new Promise<boolean>((resolve) => {
      this.#waiting.push(resolve);
      this.tell("change");
    });
    if (!isGiven) throw new Failure("FORBIDDEN", "confirm.not_given", 403);
    return true;
  }

  settle(isGiven: boolean): void {
    for (const resolve of this.#waiting.splice(0)) resolve(isGiven);
    this.tell("change");
  }

  tell(type: "change" | "lead"): void {
    this.dispatchEvent(new Event(type));
  }

  /** Calls a function at each event of a type, until the function that is returned is called. */
  on(type: "change" | "lead", act: () => void): () => void {
    this.addEventListener(type, act);
    return () => this.removeEventListener(type, act);
  }
}

export const confirmation = new Confirmation();
