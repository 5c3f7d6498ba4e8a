import * as React from "react";
import type { Values } from "../operations/row-operation";
import { runEach, type Item, type Progress } from "./run-each";
import type { Failure } from "./sent";
import { useWarning } from "./use-warning";

interface Rounds {
  readonly phase: "asking" | "running" | "over";
  readonly items: readonly Item[];
  readonly progress: Progress | undefined;
  readonly isStopping: boolean;
  /** Begins with the rows that have that state; does nothing while it runs already. */
  readonly run: (state: "waiting" | "failed") => void;
  /** Ends the round after the row that is under way. */
  readonly stop: () => void;
}

/**
 * Runs an action on rows, also again on those that are left.
 *
 * @param onDone is called once it has run on all of them
 */
export function useRounds(
  rows: readonly Values[],
  act: (values: Values) => Promise<Failure | undefined>,
  onDone: (items: readonly Item[]) => void,
): Rounds {
  const [items, setItems] = React.useState<readonly Item[]>(() =>
    rows.map((values) => ({ values, state: "waiting" })),
  );
  const [phase, setPhase] = React.useState<Rounds["phase"]>("asking");
  const [progress, setProgress] = React.useState<Progress>();
  const [isStopping, setStopping] = React.useState(false);
  const current = React.useRef({ isRunning: false, isStopped: false });
  useWarning(phase === "running");
  // Nobody sees how it goes on, and another administrator may have signed in.
  React.useEffect(() => () => void (current.current.isStopped = true), []);

  const runRound = async (state: "waiting" | "failed"): Promise<void> => {
    const round = { isRunning: true, isStopped: false };
    current.current = round;
    setStopping(false);
    setPhase("running");
    const isStopped = () => round.isStopped;
    const all = await runEach(items, { state, act, isStopped, onProgress: setProgress });
    round.isRunning = false;
    setItems(all);
    if (all.every((item) => item.state === "done")) onDone(all);
    else setPhase("over");
  };
  return {
    phase,
    items,
    progress,
    isStopping,
    run: (state) => {
      if (!current.current.isRunning) void runRound(state);
    },
    stop: () => {
      current.current.isStopped = true;
      setStopping(true);
    },
  };
}
