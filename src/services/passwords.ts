import { hash } from "bcrypt";
import { PASSWORD_MAX_BYTES } from "../text";
import { BoundedQueue } from "./bounded-queue";
import { PasswordThreads } from "./password-threads";

/** What hashing and comparing passwords costs. */
export interface PasswordSettings {
  /** bcrypt's cost: each step doubles the time. */
  readonly bcryptCost: number;
  /** Comparisons that run at one time. */
  readonly loginConcurrency: number;
}

/** Salt and digest of no password: comparing with it costs as much as with a real hash. */
const NOBODY = "C6UzMDM.H6dfI/f/IKcEeO7DNp2xJOPRxyM/dGbMm3tDNjkmKPsTS";

/** bcrypt, a few comparisons at a time. */
export class Passwords {
  private readonly queue: BoundedQueue;
  private readonly threads = new PasswordThreads();
  private readonly hashOfNobody: string;

  constructor(private readonly settings: PasswordSettings) {
    this.queue = new BoundedQueue({
      concurrency: settings.loginConcurrency,
      waiting: Infinity, // how many may wait is decided where logins are let in
    });
    this.hashOfNobody = `$2b$${String(settings.bcryptCost).padStart(2, "0")}$${NOBODY}`;
  }

  hash(password: string): Promise<string> {
    return hash(password, this.settings.bcryptCost);
  }

  /**
   * Whether the password is the one that was hashed. Without a hash the answer is no, after the same
   * work, so that the time tells nothing (spec.md section 5.3); so is it beyond the 72 bytes that bcrypt reads.
   */
  async matches(password: string, passwordHash: string | undefined): Promise<boolean> {
    const equal = await this.queue.run(() =>
      this.threads.compare(password, passwordHash ?? this.hashOfNobody),
    );
    return equal && passwordHash !== undefined && Buffer.byteLength(password) <= PASSWORD_MAX_BYTES;
  }

  /** Ends the threads that compare. */
  close(): Promise<void> {
    return this.threads.close();
  }
}
