/** Stands for all names beyond the limit. */
const OTHER = "other";

/**
 * One value for each name, and one for all names beyond a limit, so that metrics never get more series. The source
 * code bounds the names that callers pass; the limit guards against mistakes.
 */
export class BoundedNames<Value> {
  private readonly values = new Map<string, Value>();

  constructor(
    private readonly limit: number,
    private readonly create: (name: string) => Value,
  ) {}

  /** The value of a name. It is created when the name is first used. */
  of(name: string): Value {
    const known = this.values.get(name);
    if (known !== undefined) return known;
    if (this.values.size >= this.limit && name !== OTHER) return this.of(OTHER);
    const value = this.create(name);
    this.values.set(name, value);
    return value;
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.values.values();
  }
}
