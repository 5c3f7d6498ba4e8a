import { note, print, type Io } from "../io";
import { createBar } from "../progress";
import type { Destination } from "./export-options";
import { fileText, type Shape } from "./file-text";
import { writeOutput } from "./output";
import { printable } from "./shown";

/** The entries of an export. */
export interface Exported<Entry extends object> {
  readonly total: number;
  readonly batches: AsyncIterable<readonly Entry[]>;
}

/** Where the entries go, and how they are written. */
export type Target<Entry extends object> = Destination & Shape<Entry>;

/**
 * Writes the entries to a file or to standard output, and says how many they are.
 *
 * @throws OperatorError if the file can't be written
 */
export async function writeExport<Entry extends object>(
  { total, batches }: Exported<Entry>,
  { file, overwrites, format, ...shape }: Target<Entry>,
  io: Io,
): Promise<void> {
  const isOnTerminal = file === "-" && io.stdout.isTTY === true;
  const progress = createBar(io);
  try {
    const text = fileText(format, shape, watched(batches, onBatch));
    await writeOutput({ file, overwrites }, isOnTerminal ? printableLines(text) : text, io);
  } finally {
    progress.end();
  }
  // Standard output is the file itself.
  const say = file === "-" ? note : print;
  say(io, `Exported ${total.toLocaleString("en-US")} entries`);

  function onBatch(done: number): void {
    // On a terminal the entries themselves are the progress.
    if (!isOnTerminal) progress.show(done, total);
  }
}

/** The text without control characters, so that a terminal can show it: customers wrote parts of it. */
export async function* printableLines(text: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of text) yield piece.split("\n").map(printable).join("\n");
}

/** Calls `onBatch` with the number of entries so far. */
async function* watched<Entry>(
  batches: AsyncIterable<readonly Entry[]>,
  onBatch: (done: number) => void,
): AsyncGenerator<readonly Entry[]> {
  let done = 0;
  for await (const batch of batches) {
    done += batch.length;
    onBatch(done);
    yield batch;
  }
}
