import { isLogin, type Login } from "./login";
import { onChange, type Session, type SessionChange } from "./session";

/** Milliseconds to wait for an answer of the other tabs. */
const PATIENCE = 200;

type Message =
  | { readonly kind: "ask" }
  | { readonly kind: "login"; readonly login: Login }
  | { readonly kind: "expired"; readonly token: string }
  | { readonly kind: "signed-out"; readonly id: string };

/** Keeps the session the same in all tabs of this browser: they tell each other about its changes. */
export class OtherTabs {
  readonly #session: Session;
  readonly #channel: BroadcastChannel;

  constructor(session: Session) {
    this.#session = session;
    this.#channel = new BroadcastChannel("tea-shop:session");
    this.#channel.addEventListener("message", ({ data }) => {
      if (isMessage(data)) this.#receive(data);
    });
    onChange(session, (change) => {
      if (!change.isElsewhere) this.#tell(change);
    });
  }

  /** Asks for changes that this tab has missed. Resolves when an answer has changed the session, or time is up. */
  ask(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#session.removeEventListener("change", done);
        resolve();
      };
      const timer = setTimeout(done, PATIENCE);
      this.#session.addEventListener("change", done);
      this.#send({ kind: "ask" });
    });
  }

  #receive(message: Message): void {
    const session = this.#session;
    if (message.kind === "login") session.adopt(message.login);
    else if (message.kind === "expired") session.expire(message.token, true);
    else if (message.kind === "signed-out") session.endOf(message.id);
    else if (session.current) this.#send({ kind: "login", login: session.current });
    else if (session.ended !== undefined) this.#send({ kind: "signed-out", id: session.ended });
  }

  #tell({ reason, former }: SessionChange): void {
    const { current } = this.#session;
    if (current) this.#send({ kind: "login", login: current });
    else if (former && reason === "expired") this.#send({ kind: "expired", token: former.token });
    else if (former) this.#send({ kind: "signed-out", id: former.id });
  }

  #send(message: Message): void {
    this.#channel.postMessage(message);
  }
}

function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null) return false;
  const { kind, login, token, id } = value as Record<string, unknown>;
  if (kind === "login") return isLogin(login);
  if (kind === "expired") return typeof token === "string";
  if (kind === "signed-out") return typeof id === "string";
  return kind === "ask";
}
