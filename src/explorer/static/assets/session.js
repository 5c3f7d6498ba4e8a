const KEY = "tea-shop:session";

/** Milliseconds that a timer holds at most; longer ones would fire at once. */
const TIMER_MAX = 2 ** 31 - 1;

/**
 * The administrator who is signed in in this tab of the browser. Dispatches `change`, whose `detail`
 * is why: `signed-in`, `signed-out` or `expired`.
 */
export class Session extends EventTarget {
  #storage;
  #timer;
  /** `token`, `email` and `expiresAt` in milliseconds of this machine's clock; null where nobody is signed in. */
  current = null;

  /** @param {Storage} storage survives a reload, but not the tab */
  constructor(storage) {
    super();
    this.#storage = storage;
    this.current = JSON.parse(storage.getItem(KEY) ?? "null");
  }

  start(token) {
    const { email, iat, exp } = claimsOf(token);
    // The lifetime counts from now: this machine's clock need not agree with the service's.
    this.#set({ token, email, expiresAt: Date.now() + (exp - iat) * 1000 }, "signed-in");
    this.check();
  }

  end() {
    this.#set(null, "signed-out");
  }

  /** Ends the session where the token is still its own. */
  expire(token) {
    if (this.current?.token === token) this.#set(null, "expired");
  }

  /** Ends the session where its time is over; to be called whenever timers may have slept. */
  check() {
    clearTimeout(this.#timer);
    if (!this.current) return;
    const remaining = this.current.expiresAt - Date.now();
    if (remaining <= 0) this.expire(this.current.token);
    else this.#timer = setTimeout(() => this.check(), Math.min(remaining, TIMER_MAX));
  }

  #set(current, reason) {
    this.current = current;
    if (current) this.#storage.setItem(KEY, JSON.stringify(current));
    else this.#storage.removeItem(KEY);
    this.dispatchEvent(new CustomEvent("change", { detail: reason }));
  }
}

function claimsOf(token) {
  const payload = token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(payload), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}
