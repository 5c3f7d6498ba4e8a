import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";

/** How a process ended: with an exit code, or killed by a signal. */
interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A Node process that a test has started. It is killed if it still runs when the test file is done. */
export interface TestProcess {
  readonly pid: number;
  /** Resolves when it has ended and its whole output has been read. */
  readonly ended: Promise<End>;
  /** Its output so far, on standard output and standard error, or on one of the two. */
  printed(stream?: "stdout" | "stderr"): string;
  /**
   * Resolves with the matches of a pattern in its output, as soon as there are so many.
   *
   * @throws Error with the output, if the process ends before
   */
  prints(pattern: RegExp, times?: number): Promise<RegExpExecArray[]>;
  /** Sends a signal; does nothing if the process has ended. */
  signal(name: NodeJS.Signals): void;
}

interface ProcessOptions {
  /** The whole environment; by default empty. */
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** Whether signals go to the process and all its children, as a terminal sends them on Ctrl-C. */
  readonly inTerminal?: boolean;
}

const running = new Set<TestProcess>();
afterAll(async () => {
  for (const each of running) each.signal("SIGKILL");
  await Promise.all([...running].map(({ ended }) => ended));
});

/** Starts Node with these arguments. */
export function startProcess(
  args: readonly string[],
  { env = {}, cwd, inTerminal = false }: ProcessOptions = {},
): TestProcess {
  const child = spawn(process.execPath, args, {
    env,
    cwd,
    detached: inTerminal,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const printedTo = { stdout: "", stderr: "" };
  const output = new EventEmitter();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      printedTo[name] += text;
      output.emit("more");
    });
  }
  const started: TestProcess = {
    pid: child.pid!,
    ended: once(child, "close").then(([code, signal]) => {
      running.delete(started);
      return { code, signal };
    }),
    printed: (stream) => (stream ? printedTo[stream] : printed),
    prints: async (pattern, times = 1) => {
      const every = new RegExp(pattern, `g${pattern.flags}`);
      for (;;) {
        const matches = [...printed.matchAll(every)];
        if (matches.length >= times) return matches;
        if (!running.has(started)) throw new Error(`Ended before ${String(pattern)}:\n${printed}`);
        await Promise.race([once(output, "more"), started.ended]);
      }
    },
    signal: (name) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      process.kill(inTerminal ? -child.pid! : child.pid!, name);
    },
  };
  running.add(started);
  return started;
}
