import { isLogin, loginOf, type Login } from "./login";

const KEY = "tea-shop:session";

export type Reason = "signed-in" | "renewed" | "signed-out" | "expired";

/** The administrator who is signed in in this browser tab. Dispatches a `SessionChange` at every change. */
export class Session extends EventTarget {
  readonly #storage: Storage;
  #current: Login | null;
  /** The id of the login that was signed out last. No late message brings it back. */
  #ended: string | undefined;

  /** @param storage must survive a reload, but not the tab */
  constructor(storage: Storage) {
    super();
    this.#storage = storage;
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? "null");
    this.#current = isLogin(stored) ? stored : null;
  }

  /** Null if nobody is signed in. */
  get current(): Login | null {
    return this.#current;
  }

  /** The id of the login that was signed out last in this browser, as far as this tab knows. */
  get ended(): string | undefined {
    return this.#ended;
  }

  start(token: string): void {
    this.#set(loginOf(token), "signed-in");
  }

  /** Goes on with another token, if the session still has the old one. */
  replace(old: string, token: string): void {
    if (this.#current?.token === old) this.#set(loginOf(token, this.#current), "renewed");
  }

  end(): void {
    if (this.#current) this.endOf(this.#current.id, false);
  }

  /** Ends the session, if it still has this token. */
  expire(token: string, isElsewhere = false): void {
    if (this.#current?.token === token) this.#set(null, "expired", isElsewhere);
  }

  /** Takes over the login of another tab, if that is newer. */
  adopt(login: Login): void {
    const { id, startedAt, expiresAt } = login;
    if (id === this.#ended || expiresAt <= Date.now()) return;
    if (this.#current && startedAt <= this.#current.startedAt) return;
    this.#set(login, id === this.#current?.id ? "renewed" : "signed-in", true);
  }

  /** Ends the session, if it is of the login with this id, whatever its token is. */
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
    /** Whether the change comes from another tab. */
    readonly isElsewhere: boolean,
  ) {
    super("change");
  }
}

/** Calls the listener at every change of a session. */
export const onChange = (session: Session, listener: (change: SessionChange) => void): void =>
  session.addEventListener("change", (event) => {
    if (event instanceof SessionChange) listener(event);
  });
