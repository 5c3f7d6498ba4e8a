/** Stands for all names beyond the limit. */
const OTHER = "other";

/**
 * One value for each name, and one for all names beyond a limit: whatever the names are, metrics get no more
 * series than that. Callers pass names that the source code bounds; the limit is for their mistakes.
 */
export class BoundedNames<Value> {
  private readonly values = new Map<string, Value>();

  constructor(
    private readonly limit: number,
    private readonly create: (name: string) => Value,
  ) {}

  /** The value of the name, which is created at its first use. */
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
