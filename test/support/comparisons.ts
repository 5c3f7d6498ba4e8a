import { PasswordThreads } from "../../src/services/administrators/password-threads";

/** One comparison as it reached a thread, which does all of it. */
export interface Comparison {
  readonly password: string;
  /** bcrypt's work in steps, 2^cost for each hash; not a number if bcrypt would refuse one at once. */
  readonly work: number;
}

const costOf = (hash: string): number =>
  Number(/^\$2b\$([0-9]{2})\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1]);

/** Notes the comparisons of all shops of this process, which happen as ever. */
export function watchComparisons() {
  const spy = jest.spyOn(PasswordThreads.prototype, "compare");
  return {
    /** Those since the last {@link reset}, in order. */
    seen: (): Comparison[] =>
      spy.mock.calls.map(([password, hashes]) => ({
        password,
        work: hashes.reduce((sum, hash) => sum + 2 ** costOf(hash), 0),
      })),
    reset: () => spy.mockClear(),
    stop: () => spy.mockRestore(),
  };
}
