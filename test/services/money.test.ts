import fc from "fast-check";
import { Money } from "../../src/vocabulary/money";

const MAX_CENTS = 9_999_999_999n;

/** Amounts in cents. */
const cents = fc.bigInt({ min: 0n, max: MAX_CENTS });

const textOf = (amount: bigint): string =>
  `${amount / 100n}.${(amount % 100n).toString().padStart(2, "0")}`;

test("what is read is what is written", () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(String(Money.of(textOf(amount)))).toBe(textOf(amount));
    }),
  );
});

test("a numeral is read as the number that it is, however it is written", () => {
  const ways = fc.record({ zeros: fc.nat(50), shift: fc.integer({ min: -30, max: 30 }) });
  fc.assert(
    fc.property(cents, ways, (amount, { zeros, shift }) => {
      const [whole, fraction] = textOf(amount).split(".");
      const digits = `${whole}${fraction}${"0".repeat(zeros)}`;
      const point = digits.length - zeros - 2;
      const moved = point + shift;
      const padded = digits.padStart(digits.length + Math.max(0, 1 - moved), "0");
      const place = Math.max(moved, 1);
      const text = `${padded.slice(0, place).padEnd(place, "0")}.${padded.slice(place)}0e${-shift}`;
      expect(String(Money.ofNumeral(text))).toBe(textOf(amount));
    }),
  );
});

test("a numeral with a third decimal that is not zero, or beyond the greatest amount, is none", () => {
  const inexact = fc
    .tuple(cents, fc.nat(300), fc.integer({ min: 1, max: 9 }))
    .map(([amount, zeros, digit]) => `${textOf(amount)}${"0".repeat(zeros)}${digit}`);
  fc.assert(fc.property(inexact, (text) => expect(Money.ofNumeral(text)).toBeUndefined()));
  for (const text of [
    "100000000",
    "1e8",
    "9999999999e-1",
    "1e999999999",
    "1e-999999999",
    "-0.01",
  ]) {
    expect(Money.ofNumeral(text)).toBeUndefined();
  }
  for (const text of ["", "-", ".", "1.", ".1", "1e", "0x1", "NaN", "Infinity", "1 ", "+1"]) {
    expect(Money.ofNumeral(text)).toBeUndefined();
  }
});

test("sums and products are exact, also beyond what can be stored", () => {
  const counts = fc.integer({ min: 0, max: 2_147_483_647 });
  fc.assert(
    fc.property(cents, cents, counts, (one, other, count) => {
      const sum = Money.of(textOf(one)).plus(Money.of(textOf(other)).times(count));
      expect(String(sum)).toBe(textOf(one + other * BigInt(count)));
    }),
  );
});

test("text that is no amount throws where an amount is known to be", () => {
  expect(() => Money.of("1.234")).toThrow(RangeError);
});

test("the limit is 99,999,999.99", () => {
  expect(String(Money.MAX)).toBe("99999999.99");
});
