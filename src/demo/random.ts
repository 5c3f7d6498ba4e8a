/** Pseudorandom numbers (mulberry32): the same state gives the same numbers. */
export class Random {
  constructor(private state: number) {}

  /** An integer from 0 to `size` - 1. */
  below(size: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * size);
  }

  /** One of the values; there must be at least one. */
  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, rank: this.below(2 ** 31) }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ value }) => value);
  }
}
