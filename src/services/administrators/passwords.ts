import type { PasswordSettings } from "../../config/settings";
import { PASSWORD_MAX_BYTES } from "../../text/password";
import { PasswordThreads } from "./password-threads";

/**
 * A hash as bcrypt makes it, its cost in the first group, from 4 to 31. Regular expressions of JavaScript
 * and of PostgreSQL read it alike.
 */
export const BCRYPT_HASH = "^[$]2[ab][$](0[4-9]|[12][0-9]|3[01])[$][./A-Za-z0-9]{53}$";

/** Salt and digest of no password: comparing with it costs as much as with a real hash. */
const NOBODY = "C6UzMDM.H6dfI/f/IKcEeO7DNp2xJOPRxyM/dGbMm3tDNjkmKPsTS";

/** bcrypt, in threads of low priority. How many work at one time is decided where logins are let in. */
export class Passwords {
  private readonly threads = new PasswordThreads();

  constructor(private readonly settings: PasswordSettings) {}

  hash(password: string): Promise<string> {
    return this.threads.hash(password, this.settings.cost);
  }

  /** Whether a hash has the cost of new ones. */
  isCurrent(passwordHash: string): boolean {
    return costOf(passwordHash) === this.settings.cost;
  }

  /**
   * Whether the password is the one that was hashed. Without a hash the answer is no; so is it beyond the
   * 72 bytes that bcrypt reads. The work is always that of a comparison at the cost `dearest`, the
   * greatest of all stored hashes, so that the time tells nothing (contract 5.3).
   */
  async matches(
    password: string,
    passwordHash: string | undefined,
    dearest: number = this.settings.cost,
  ): Promise<boolean> {
    const equal = await this.threads.compare(password, hashesOfCost(dearest, passwordHash));
    return equal && passwordHash !== undefined && Buffer.byteLength(password) <= PASSWORD_MAX_BYTES;
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.threads.close();
  }
}

/**
 * Hashes that together take as long to compare with as one of the cost `dearest`, the given one first.
 * Each step of the cost doubles the work: 2^8 and 2^8 + 2^9 + 2^10 + 2^11 are 2^12.
 */
function hashesOfCost(dearest: number, passwordHash: string | undefined): string[] {
  const cost = passwordHash === undefined ? undefined : costOf(passwordHash);
  if (passwordHash === undefined || cost === undefined) return [hashOfNobody(dearest)];
  const hashes = [passwordHash];
  for (let step = cost; step < dearest; step += 1) hashes.push(hashOfNobody(step));
  return hashes;
}

const hashOfNobody = (cost: number): string => `$2b$${String(cost).padStart(2, "0")}$${NOBODY}`;

/** The cost of a hash; undefined where bcrypt could not read it. */
function costOf(passwordHash: string): number | undefined {
  const [, cost] = new RegExp(BCRYPT_HASH).exec(passwordHash) ?? [];
  return cost === undefined ? undefined : Number(cost);
}
