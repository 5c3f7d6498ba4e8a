import { SingleBar } from "cli-progress";
import { note, type Io } from "./io";

export interface Progress {
  readonly show: (done: number, total: number) => void;
  /** Removes the bar, if there is one. */
  readonly end: () => void;
}

/** Milliseconds between two lines if there is no terminal. */
const INTERVAL = 5_000;

/** Shows progress on standard error: on a terminal as a bar, otherwise as a line every few seconds. */
export function createProgress(io: Io): Progress {
  return io.stderr.isTTY === true ? bar(io) : lines(io);
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

function lines(io: Io): Progress {
  let shown = performance.now();
  return {
    show: (done, total) => {
      if (performance.now() - shown < INTERVAL) return;
      shown = performance.now();
      note(io, `${done.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`);
    },
    end: () => undefined,
  };
}
