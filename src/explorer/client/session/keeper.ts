import { exclusively } from "./exclusively";
import type { Login } from "./login";
import type { OtherTabs } from "./other-tabs";
import type { Session } from "./session";
import { Refusal } from "./tokens";

/** The longest time of a timer in milliseconds; a longer one would fire at once. */
const TIMER_MAX = 2 ** 31 - 1;

/** The shortest and the longest pause between two attempts at a renewal, in milliseconds. */
const PAUSE_MIN = 500;
const PAUSE_MAX = 60_000;

/** Renews the session's token while the page is used, and ends the session when its time is over. */
export class Keeper {
  readonly #session: Session;
  readonly #others: OtherTabs;
  readonly #renew: (token: string) => Promise<string>;
  /** Whether there has been input since the token came. */
  #isUsed = false;
  #failures = 0;
  #retryAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #renewal: Promise<void> | undefined;

  constructor(session: Session, others: OtherTabs, renew: (token: string) => Promise<string>) {
    this.#session = session;
    this.#others = others;
    this.#renew = renew;
    session.addEventListener("change", () => {
      this.#isUsed = false;
      this.#failures = 0;
      this.#retryAt = 0;
      this.check();
    });
  }

  /** Call it for every input: the session stays alive as long as the page is used. */
  use(): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.check();
  }

  /** Renews or ends the session if that is due, and sets a timer for later. Call it whenever timers may have slept. */
  check(): void {
    clearTimeout(this.#timer);
    const login = this.#session.current;
    if (!login) return;
    const now = Date.now();
    if (login.expiresAt <= now) {
      void this.refused(login.token);
      return;
    }
    const isWanted = login.isRenewable && this.#isUsed && !this.#renewal;
    const due = Math.max(dueOf(login, 2 / 3), this.#retryAt);
    if (isWanted && due <= now) void this.#renewed();
    const next = isWanted && due > now ? Math.min(due, login.expiresAt) : login.expiresAt;
    this.#timer = setTimeout(() => this.check(), Math.min(next - now, TIMER_MAX));
  }

  /** Wait for it before a request: renews a token that expires soon, and ends the session if it has expired. */
  async ready(): Promise<void> {
    const login = this.#session.current;
    const now = Date.now();
    if (!login || now < dueOf(login, 9 / 10)) return;
    if (login.expiresAt <= now) await this.refused(login.token);
    else if (login.isRenewable && this.#retryAt <= now) await this.#renewed();
  }

  /**
   * Ends the session if its token is the one that the service has refused. The session goes on if that token is just
   * being replaced, here or in another tab.
   */
  async refused(token: string): Promise<void> {
    if (this.#session.current?.token !== token) return;
    await exclusively(() => this.#others.ask());
    this.#session.expire(token);
  }

  /** Replaces the token, in all tabs, by the one that `bring` gets for it. */
  async replace(bring: (token: string) => Promise<string>): Promise<void> {
    await exclusively(async () => {
      const token = this.#session.current?.token;
      if (token === undefined) throw new Error("Sign in again");
      this.#session.replace(token, await bring(token));
    });
  }

  #renewed(): Promise<void> {
    this.#renewal ??= this.#tryRenewal().finally(() => {
      this.#renewal = undefined;
      this.check();
    });
    return this.#renewal;
  }

  async #tryRenewal(): Promise<void> {
    const token = this.#session.current?.token;
    try {
      await exclusively(async () => {
        // Another tab may have renewed the token meanwhile.
        await this.#others.ask();
        if (token === undefined || this.#session.current?.token !== token) return;
        this.#session.replace(token, await this.#renew(token));
      });
    } catch (fault) {
      const refusal = fault instanceof Refusal ? fault : undefined;
      if (token !== undefined && refusal?.code === "UNAUTHENTICATED") await this.refused(token);
      else this.#pause(refusal?.retryAfter);
    }
  }

  /** Sets the time at which a failed renewal is tried again. */
  #pause(seconds = 0): void {
    const now = Date.now();
    const remaining = (this.#session.current?.expiresAt ?? now) - now;
    const pause = Math.min(1000 * 2 ** this.#failures, PAUSE_MAX, remaining / 3);
    this.#failures += 1;
    this.#retryAt = now + Math.max(pause, PAUSE_MIN, seconds * 1000);
  }
}

/** The time at which a share of the token's lifetime is over. */
const dueOf = ({ startedAt, expiresAt }: Login, share: number): number =>
  startedAt + (expiresAt - startedAt) * share;
