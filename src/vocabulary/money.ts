/** An amount as text. Leading zeros may be any number. */
const AMOUNT = /^0*([0-9]{1,8})(?:\.([0-9]{1,2}))?$/;
const MAX_CENTS = 9_999_999_999n;

/**
 * An exact, non-negative amount with 2 decimals (contract 2.decimals: up to 10 digits in total).
 * Sums and products may exceed {@link Money.MAX}.
 */
export class Money {
  /** The greatest amount that can be stored: 99,999,999.99. */
  static readonly MAX = new Money(MAX_CENTS);
  static readonly ZERO = new Money(0n);

  private constructor(private readonly cents: bigint) {}

  /**
   * Reads decimal text, or a number by its shortest decimal form, either with at most 2 decimals. Nothing is rounded:
   * anything else, and an amount above {@link Money.MAX}, gives undefined.
   */
  static parse(value: unknown): Money | undefined {
    if (typeof value !== "string" && typeof value !== "number") return undefined;
    const [, whole, fraction = ""] = AMOUNT.exec(String(value)) ?? [];
    return whole === undefined ? undefined : new Money(BigInt(whole + fraction.padEnd(2, "0")));
  }

  /** Like {@link parse}, for text that is known to be an amount, such as a column value. */
  static of(text: string): Money {
    const money = Money.parse(text);
    if (!money) throw new RangeError(`Not an amount: ${text}`);
    return money;
  }

  plus(other: Money): Money {
    return new Money(this.cents + other.cents);
  }

  /** The amount multiplied by `count`, an integer. */
  times(count: number): Money {
    return new Money(this.cents * BigInt(count));
  }

  toString(): string {
    const digits = this.cents.toString().padStart(3, "0");
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  }

  toJSON(): string {
    return this.toString();
  }
}
