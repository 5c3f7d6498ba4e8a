import fc from "fast-check";
import { anyJson, anyText } from "./hostile-json";

/** Choices that a generator makes one after another; where they have run out, it takes the simplest. */
export class Draws {
  private choice = 0;
  private hostile = 0;

  constructor(
    private readonly choices: readonly number[],
    private readonly texts: readonly string[],
    private readonly values: readonly string[],
  ) {}

  /** A whole number below `end`, each as likely. */
  below(end: number): number {
    const drawn = this.choices[this.choice] ?? 0;
    this.choice += 1;
    return drawn % end;
  }

  /** True in so many of a hundred cases. */
  inPercent(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  /** One of the values; simpler ones come first. */
  oneOf<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** Whatever text. */
  text(): string {
    return this.next(this.texts);
  }

  /** JSON text of whatever value. */
  json(): string {
    return this.next(this.values);
  }

  private next(strings: readonly string[]): string {
    this.hostile += 1;
    return strings[this.hostile % strings.length] as string;
  }
}

const listOf = <T>(values: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> =>
  fc.array(values, { minLength: length, maxLength: length });

/** Draws that shrink to the simplest choices. */
export const anyDraws: fc.Arbitrary<Draws> = fc
  .tuple(
    listOf(fc.noBias(fc.nat({ max: 2 ** 30 - 1 })), 500),
    listOf(anyText, 4),
    listOf(anyJson, 2),
  )
  .map(([choices, texts, values]) => new Draws(choices, texts, values));
