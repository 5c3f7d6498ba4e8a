const PATTERN = /^[0-9]+(?:\.[0-9]{1,2})?$/;
/** A number as JSON or GraphQL writes it (leading zeros allowed): sign, digits, decimals, exponent. */
const NUMERAL = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;
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
   * Reads a decimal string or a JSON number, either with at most 2 decimals. Nothing is rounded: anything
   * else, and an amount above {@link Money.MAX}, gives undefined.
   */
  static parse(value: unknown): Money | undefined {
    if (typeof value === "number") return Money.ofNumeral(String(value));
    return typeof value === "string" && PATTERN.test(value) ? Money.ofNumeral(value) : undefined;
  }

  /**
   * Reads all digits of a number as it is written in JSON, such as `12.340` or `1.234e1`. Returns undefined
   * if it is not an amount with at most 2 decimals. A huge exponent needs no extra time or memory.
   */
  static ofNumeral(text: string): Money | undefined {
    const [, sign, whole = "", fraction = "", exponent = "0"] = NUMERAL.exec(text) ?? [];
    const digits = (whole + fraction).replace(/^0+/, "");
    if (digits === "") return whole === "" ? undefined : Money.ZERO;
    const significant = withoutZerosAtEnd(digits);
    // The amount in cents is `significant` followed by this many zeros.
    const zeros = digits.length - significant.length + Number(exponent) - fraction.length + 2;
    if (sign === "-" || zeros < 0 || significant.length + zeros > 10) return undefined;
    return new Money(BigInt(significant + "0".repeat(zeros)));
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

  /** Always with 2 decimals, such as `12.50`. */
  toString(): string {
    const digits = this.cents.toString().padStart(3, "0");
    return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A loop, because the regular expression `/0+$/` takes quadratic time on long runs of zeros. */
function withoutZerosAtEnd(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
