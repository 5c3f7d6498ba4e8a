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

test("a number is read by its shortest decimal form", () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(String(Money.parse(Number(textOf(amount))))).toBe(textOf(amount));
    }),
  );
});

test("a third decimal, an amount beyond the greatest one, and any other text are no amount", () => {
  const longer = fc.tuple(cents, fc.stringMatching(/^[0-9]{1,300}$/));
  fc.assert(
    fc.property(longer, ([amount, digits]) => {
      expect(Money.parse(textOf(amount) + digits)).toBeUndefined();
    }),
  );
  const others = "|-|.|1.|.1|1e|1e1|0x1|NaN|Infinity|1 |+1|-0.01".split("|");
  for (const each of [...others, "100000000", 1e8, 1.005, -0.01, 1e-7, NaN, Infinity, null, true]) {
    expect(Money.parse(each)).toBeUndefined();
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
