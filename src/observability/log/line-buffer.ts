import type { DestinationStream } from "pino";

/**
 * Writes the lines of one turn of the event loop together, because a write takes longer than to compose the
 * line of a request. What is left when the process exits is written then.
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
