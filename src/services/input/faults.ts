import type { Fault } from "../../vocabulary/reasons";

/** Collects what is wrong with an input. Each message begins with the path of its value. */
export class Faults {
  constructor(
    /** All faults, including those of nested inputs. */
    readonly all: Fault[] = [],
    private readonly path = "",
  ) {}

  /**
   * Adds the fault of a field, which may be nested, such as `items.0.productId`. `subject` is what the message
   * begins with instead of the field.
   */
  add(field: string, { message, reason }: Fault, subject = field): void {
    this.all.push({
      message: `${this.path}${subject} ${message}`,
      reason: { ...reason, path: this.path + field },
    });
  }

  /** A collector that adds the faults of the input at `path`, such as `items.0`, to this one. */
  in(path: string): Faults {
    return new Faults(this.all, `${this.path}${path}.`);
  }
}
