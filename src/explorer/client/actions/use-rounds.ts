import * as React from "react";
import type { Values } from "../operations/row-operation";
import { runEach, type Item, type Progress, type TriedState } from "./run-each";
import type { Failure } from "./sent";
import { useWarning } from "./use-warning";

interface Rounds {
  readonly phase: "asking" | "running" | "over";
  readonly items: readonly Item[];
  readonly progress: Progress | undefined;
  readonly isStopping: boolean;
  /** Starts a round with the rows in this state. Does nothing while a round is running. */
  readonly run: (state: TriedState) => void;
  /** Ends the round after the current row. */
  readonly stop: () => void;
}

/**
 * Runs an action on rows, in rounds: later rounds retry failed or changed rows, or go on with waiting ones.
 *
 * @param onDone is called once the action is done on all rows
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
  // Stop when the dialog is gone: nobody sees the progress, and another administrator may have signed in.
  React.useEffect(() => () => void (current.current.isStopped = true), []);

  const runRound = async (state: TriedState): Promise<void> => {
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
