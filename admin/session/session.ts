/** An administrator who is signed in, with the latest token. Times are in milliseconds, by this machine's clock. */
export interface Login {
  /** Is the same for all tokens of one sign-in, in all tabs. */
  readonly id: string;
  readonly token: string;
  readonly email: string;
  readonly startedAt: number;
  readonly expiresAt: number;
  /** False if the service gives no token that lasts longer: then the login ends with this one. */
  readonly isRenewable: boolean;
}

/** Whether somebody is signed in; `expired`: the page of who was signed in stays, and asks for the password. */
export type Phase = "signed-in" | "signed-out" | "expired";
type Message =
  | { readonly kind: "ask" }
  | { readonly kind: "login"; readonly login: Login }
  | { readonly kind: "expired"; readonly token: string }
  | { readonly kind: "signed-out"; readonly id: string };

const KEY = "tea-shop:session";
/** Milliseconds to wait for an answer of the other tabs. */
const PATIENCE = 200;

/**
 * Who is signed in, in this tab and in the others of this browser: they tell each other about changes. The token is
 * in the tab's session storage. Dispatches `change`.
 */
class Session extends EventTarget {
  login: Login | null;
  phase: Phase;
  /** Who is signed in, or was until the session ended by itself. */
  email: string | undefined;
  /** The login that was signed out last; no late message brings it back. */
  #ended: string | undefined;
  readonly #channel = new BroadcastChannel(KEY);

  constructor() {
    super();
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Login | null;
    this.login = stored && stored.expiresAt > Date.now() ? stored : null;
    this.phase = this.login ? "signed-in" : "signed-out";
    this.email = this.login?.email;
    this.#channel.addEventListener("message", ({ data }) => this.#receive(data as Message));
  }

  /** Begins a login, or goes on with another token of the present one; of `former` alone, if that is given. */
  take(token: string, former?: string): void {
    if (former !== undefined && this.login?.token !== former) return;
    const login = loginOf(token, this.login ?? undefined);
    this.#set(login, "signed-in");
    this.#send({ kind: "login", login });
  }

  /** Ends the session in all tabs. */
  signOut(): void {
    const id = this.login?.id;
    this.#ended = id;
    this.#set(null, "signed-out");
    if (id !== undefined) this.#send({ kind: "signed-out", id });
  }

  /** Notes that the service does not take this token any more; asks the other tabs for a newer one before. */
  async refused(token: string): Promise<void> {
    const isLatest = (): boolean => this.login?.token === token;
    if (isLatest()) await this.ask();
    if (!isLatest()) return;
    this.#set(null, "expired");
    this.#send({ kind: "expired", token });
  }

  /** Calls a function after each change, until the function that is returned is called. */
  readonly onChange = (changed: () => void): (() => void) => {
    this.addEventListener("change", changed);
    return () => this.removeEventListener("change", changed);
  };

  /** Asks the other tabs for what this one has missed; resolves when one has answered, or time is up. */
  ask(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        forget();
        resolve();
      };
      const timer = setTimeout(done, PATIENCE);
      const forget = this.onChange(done);
      this.#send({ kind: "ask" });
    });
  }

  /** Resolves with the login as soon as there is one. Rejects when the session is signed out instead. */
  async signedIn(): Promise<Login> {
    while (this.phase === "expired")
      await new Promise((resolve) => this.addEventListener("change", resolve, { once: true }));
    if (!this.login) throw new Error("Signed out");
    return this.login;
  }

  #receive(message: Message): void {
    const { kind } = message;
    const current = this.login;
    if (kind === "ask") {
      if (current) this.#send({ kind: "login", login: current });
      else if (this.#ended !== undefined) this.#send({ kind: "signed-out", id: this.#ended });
    } else if (kind === "login") {
      const { login } = message;
      const isOld = login.id === this.#ended || login.expiresAt <= Date.now();
      if (!isOld && login.startedAt > (current?.startedAt ?? 0)) this.#set(login, "signed-in");
    } else if (kind === "expired") {
      if (current?.token === message.token) this.#set(null, "expired");
    } else {
      this.#ended = message.id;
      if (current?.id === message.id || this.phase === "expired") this.#set(null, "signed-out");
    }
  }

  #set(login: Login | null, phase: Phase): void {
    // Another account must see nothing of what the page of this one holds.
    const isAnother = login !== null && this.email !== undefined && login.email !== this.email;
    this.login = login;
    this.phase = phase;
    this.email = phase === "signed-out" ? undefined : (login?.email ?? this.email);
    if (login) sessionStorage.setItem(KEY, JSON.stringify(login));
    else sessionStorage.removeItem(KEY);
    if (isAnother) location.reload();
    this.dispatchEvent(new Event("change"));
  }

  #send(message: Message): void {
    this.#channel.postMessage(message);
  }
}

function loginOf(token: string, former?: Login): Login {
  const { email, iat, exp, auth_time } = claimsOf(token);
  const startedAt = Math.max(Date.now(), (former?.startedAt ?? 0) + 1);
  return {
    id: former?.id ?? crypto.getRandomValues(new Uint32Array(4)).join("-"),
    ...{ token, email, startedAt },
    // The lifetime counts from now: this machine's clock need not agree with the service's.
    expiresAt: startedAt + (exp - iat) * 1000,
    isRenewable: auth_time !== undefined && (!former || exp > claimsOf(former.token).exp),
  };
}

type Claims = Readonly<{ email: string; iat: number; exp: number; auth_time?: number }>;

/** The claims of a token; only the service checks its signature. */
function claimsOf(token: string) {
  const base64 = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}

export const session = new Session();
