/** Gathers what is wrong with an input: messages, each behind the path of the value that it is about. */
export class Faults {
  constructor(
    /** All messages, of nested inputs too. */
    readonly messages: string[] = [],
    private readonly path = "",
  ) {}

  /** Adds a message that starts with the name of a field. */
  add(message: string): void {
    this.messages.push(this.path + message);
  }

  /** Gathers what is wrong with the input in a field, such as `items.0`. */
  in(place: string): Faults {
    return new Faults(this.messages, `${this.path}${place}.`);
  }
}
