import { isLogin, loginOf, type Login } from "./login";

const KEY = "tea-shop:session";

export type Reason = "signed-in" | "renewed" | "signed-out" | "expired";

/** The administrator who is signed in in this tab of the browser. Dispatches a `SessionChange`. */
export class Session extends EventTarget {
  readonly #storage: Storage;
  #current: Login | null;
  /** The login that was signed out last; no late message brings it back. */
  #ended: string | undefined;

  /** @param storage survives a reload, but not the tab */
  constructor(storage: Storage) {
    super();
    this.#storage = storage;
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? "null");
    this.#current = isLogin(stored) ? stored : null;
  }

  /** Null where nobody is signed in. */
  get current(): Login | null {
    return this.#current;
  }

  /** The login that was signed out last in this browser, as far as this tab knows. */
  get ended(): string | undefined {
    return this.#ended;
  }

  start(token: string): void {
    this.#set(loginOf(token), "signed-in");
  }

  /** Goes on with another token where the old one is still its own. */
  replace(old: string, token: string): void {
    if (this.#current?.token === old) this.#set(loginOf(token, this.#current), "renewed");
  }

  end(): void {
    if (this.#current) this.endOf(this.#current.id, false);
  }

  /** Ends the session where the token is still its own. */
  expire(token: string, isElsewhere = false): void {
    if (this.#current?.token === token) this.#set(null, "expired", isElsewhere);
  }

  /** Takes over what another tab has, where that is newer. */
  adopt(login: Login): void {
    const { id, startedAt, expiresAt } = login;
    if (id === this.#ended || expiresAt <= Date.now()) return;
    if (this.#current && startedAt <= this.#current.startedAt) return;
    this.#set(login, id === this.#current?.id ? "renewed" : "signed-in", true);
  }

  /** Ends the session where it is of the login, whatever its token. */
  endOf(id: string, isElsewhere = true): void {
    this.#ended = id;
    if (this.#current?.id === id) this.#set(null, "signed-out", isElsewhere);
  }

  #set(current: Login | null, reason: Reason, isElsewhere = false): void {
    const former = this.#current;
    this.#current = current;
    if (current) this.#storage.setItem(KEY, JSON.stringify(current));
    else this.#storage.removeItem(KEY);
    this.dispatchEvent(new SessionChange(reason, former, isElsewhere));
  }
}

export class SessionChange extends Event {
  constructor(
    readonly reason: Reason,
    /** The login before the change. */
    readonly former: Login | null,
    /** Whether it was in another tab that this has happened. */
    readonly isElsewhere: boolean,
  ) {
    super("change");
  }
}

/** Calls the listener with every change of a session. */
export const onChange = (session: Session, listener: (change: SessionChange) => void): void =>
  session.addEventListener("change", (event) => {
    if (event instanceof SessionChange) listener(event);
  });
