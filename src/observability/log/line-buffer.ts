import type { DestinationStream } from "pino";

/**
 * Writes the lines of one turn of the event loop together, because writing a line takes longer than composing it.
 * The last lines are written when the process exits.
 */
export function inTurns(stream: DestinationStream): DestinationStream {
  let lines = "";
  const flush = (): void => {
    const text = lines;
    lines = "";
    if (text !== "") stream.write(text);
  };
  process.once("exit", flush);
  return {
    write: (line) => {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
}
