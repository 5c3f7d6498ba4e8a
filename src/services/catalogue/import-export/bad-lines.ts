/** A line of a file that can't be imported. */
export interface BadLine {
  /** Counted from 1. */
  readonly line: number;
  readonly reason: string;
}

/** The most bad lines that are collected. */
export const MOST_BAD_LINES = 1_000;

/** The most characters of a reason; a property that should not exist may have any name. */
const LONGEST_REASON = 300;

/** Collects the bad lines of a file: the first few of them, and their number. */
export class BadLines {
  private lines: BadLine[] = [];
  private count = 0;

  /** The first ones, by line. */
  get first(): readonly BadLine[] {
    return this.lines;
  }

  get total(): number {
    return this.count;
  }

  /** Adds lines. `total` is the number of lines to count, if more were found than are given. */
  add(lines: readonly BadLine[], total: number = lines.length): void {
    this.count += total;
    if (lines.length === 0) return;
    const shortened = lines.map(({ line, reason }) => ({
      line,
      reason: reason.slice(0, LONGEST_REASON),
    }));
    this.lines = [...this.lines, ...shortened]
      .sort((one, other) => one.line - other.line)
      .slice(0, MOST_BAD_LINES);
  }
}
