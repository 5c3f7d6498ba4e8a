/**
 * What clients were told of one thing, whose value goes up by 1 with each change. One client changes it, so that its
 * values are acknowledged in order.
 */
export class Told {
  /** The greatest value that was sent, and so may be seen. */
  sent = 0;
  #acknowledged = [];

  /** Records the answer to the change that was last sent, by a process. */
  acknowledge(process) {
    this.#acknowledged.push({ value: this.sent, process, at: performance.now() });
  }

  /**
   * The least values that a read may show which begins now at a process: to whoever changed something, and to others.
   * `position` is what the client sends of an earlier change: of which thing and value, and when that change was sent.
   */
  due({ process, position, maxLag }) {
    const begun = performance.now();
    const last = (isDue) => this.#acknowledged.findLast(isDue)?.value ?? 0;
    const isInPosition = ({ at, value }) =>
      position && (at <= position.sentAt || (this === position.told && value <= position.value));
    return {
      own: last((each) => each.process === process || isInPosition(each)),
      others: last(({ at }) => at <= begun - maxLag),
    };
  }
}
