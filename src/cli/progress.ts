import { SingleBar } from "cli-progress";
import { type Io } from "./io";

export interface Progress {
  readonly show: (done: number, total: number) => void;
  /** Removes the bar, if there is one. */
  readonly end: () => void;
}

/** Shows progress as a bar on a terminal, and nothing elsewhere. */
export function createBar(io: Io): Progress {
  return io.stderr.isTTY === true ? bar(io) : { show: () => undefined, end: () => undefined };
}

function bar(io: Io): Progress {
  const progress = new SingleBar({
    stream: io.stderr,
    format: "{bar} {percentage} %, {value} of {total}, {eta_formatted} left",
    clearOnComplete: true,
    // Otherwise an interrupted command leaves the terminal without line wrapping.
    linewrap: true,
  });
  let started = false;
  return {
    show: (done, total) => {
      if (!started) progress.start(total, 0);
      started = true;
      progress.update(done);
    },
    end: () => {
      if (started) progress.stop();
      started = false;
    },
  };
}
