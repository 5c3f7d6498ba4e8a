/** Collects the validation messages of an input. Each message begins with the path of its value. */
export class Faults {
  constructor(
    /** All messages, including those of nested inputs. */
    readonly messages: string[] = [],
    private readonly path = "",
  ) {}

  /** Adds a message that starts with the name of a field. */
  add(message: string): void {
    this.messages.push(this.path + message);
  }

  /** A collector that adds the messages of the input at `path`, such as `items.0`, to this one. */
  in(path: string): Faults {
    return new Faults(this.messages, `${this.path}${path}.`);
  }
}
