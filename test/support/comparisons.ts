import { PasswordThreads } from "../../src/services/administrators/passwords";

/** One comparison of a password, as a thread got it. The thread does all of it. */
export interface Comparison {
  readonly password: string;
  /** bcrypt's work in steps, 2^cost for each hash; NaN if bcrypt would refuse a hash at once. */
  readonly work: number;
}

const costOf = (hash: string): number =>
  Number(/^\$2b\$([0-9]{2})\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1]);

/** Records the comparisons of all shops of this process, without changing them. */
export function watchComparisons() {
  const spy = jest.spyOn(PasswordThreads.prototype, "compare");
  return {
    /** The comparisons since the last {@link reset}, in order. */
    seen: (): Comparison[] =>
      spy.mock.calls.map(([password, hashes]) => ({
        password,
        work: hashes.reduce((sum, hash) => sum + 2 ** costOf(hash), 0),
      })),
    reset: () => spy.mockClear(),
    stop: () => spy.mockRestore(),
  };
}
