import { SingleBar } from "cli-progress";
import { note, type Io } from "./io";

/** Shows how far something long has come. */
export interface Progress {
  show(done: number, total: number): void;
  end(): void;
}

/** Milliseconds between two lines where there is no terminal. */
const INTERVAL = 5_000;

/** A bar on a terminal, else a line every few seconds; both on standard error. */
export function createProgress(io: Io): Progress {
  return io.stderr.isTTY === true ? bar(io) : lines(io);
}

function bar(io: Io): Progress {
  const progress = new SingleBar({
    stream: io.stderr,
    format: "{bar} {percentage} %, {value} of {total}, {eta_formatted} left",
    clearOnComplete: true,
    // Else an interrupted command leaves the terminal without line wrapping.
    linewrap: true,
  });
  let started = false;
  return {
    show: (done, total) => {
      if (!started) progress.start(total, 0);
      started = true;
      progress.update(done);
    },
    end: () => progress.stop(),
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
