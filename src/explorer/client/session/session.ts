const KEY = "tea-shop:session";

/** Milliseconds that a timer holds at most; longer ones would fire at once. */
const TIMER_MAX = 2 ** 31 - 1;

export interface Login {
  readonly token: string;
  readonly email: string;
  /** Milliseconds of this machine's clock. */
  readonly expiresAt: number;
}

export type Reason = "signed-in" | "signed-out" | "expired";

/** The administrator who is signed in in this tab of the browser. Dispatches a `SessionChange`. */
export class Session extends EventTarget {
  readonly #storage: Storage;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #current: Login | null;

  /** @param storage survives a reload, but not the tab */
  constructor(storage: Storage) {
    super();
    this.#storage = storage;
    this.#current = JSON.parse(storage.getItem(KEY) ?? "null") as Login | null;
  }

  /** Null where nobody is signed in. */
  get current(): Login | null {
    return this.#current;
  }

  start(token: string): void {
    const { email, iat, exp } = claimsOf(token);
    // The lifetime counts from now: this machine's clock need not agree with the service's.
    this.#set({ token, email, expiresAt: Date.now() + (exp - iat) * 1000 }, "signed-in");
    this.check();
  }

  end(): void {
    this.#set(null, "signed-out");
  }

  /** Ends the session where the token is still its own. */
  expire(token: string): void {
    if (this.#current?.token === token) this.#set(null, "expired");
  }

  /** Ends the session where its time is over; to be called whenever timers may have slept. */
  check(): void {
    clearTimeout(this.#timer);
    if (!this.#current) return;
    const remaining = this.#current.expiresAt - Date.now();
    if (remaining <= 0) this.expire(this.#current.token);
    else this.#timer = setTimeout(() => this.check(), Math.min(remaining, TIMER_MAX));
  }

  #set(current: Login | null, reason: Reason): void {
    this.#current = current;
    if (current) this.#storage.setItem(KEY, JSON.stringify(current));
    else this.#storage.removeItem(KEY);
    this.dispatchEvent(new SessionChange(reason));
  }
}

export class SessionChange extends Event {
  constructor(readonly reason: Reason) {
    super("change");
  }
}

interface Claims {
  readonly email: string;
  /** Seconds. */
  readonly iat: number;
  readonly exp: number;
}

function claimsOf(token: string): Claims {
  const payload = token.split(".")[1] ?? "";
  const base64 = payload.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
