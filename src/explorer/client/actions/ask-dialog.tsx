import * as React from "react";
import type { Asks, RowOperation, Values } from "../operations/row-operation";
import { Dialog } from "./dialog";
import { Outcomes } from "./outcomes";
import { Question } from "./question";
import { Running } from "./running";
import type { Failure } from "./sent";
import { useRounds } from "./use-rounds";
import { fullName, nameOfAll, outcome } from "./wording";

export interface AskingOperation extends RowOperation {
  readonly does: Asks;
}

interface AskDialogProps {
  readonly operation: AskingOperation;
  /** The rows on which the operation is to run. */
  readonly rows: readonly [Values, ...Values[]];
  /** The number of selected rows on which the operation can't run. */
  readonly unfit: number;
  readonly isSignedIn: boolean;
  readonly act: (values: Values) => Promise<Failure | undefined>;
  /** @param said a message about what has been done, if anything */
  readonly onClose: (said?: string) => void;
}

/** Asks before a mutation runs on rows. Then shows its progress, and the rows on which it has failed. */
export function AskDialog(props: AskDialogProps): React.ReactNode {
  const { operation, rows, unfit, isSignedIn, act, onClose } = props;
  const { type, does, label } = operation;
  const rounds = useRounds(rows, act, (items) => onClose(outcome(type, items, does.done)));
  const { phase, items, progress, run, stop } = rounds;
  const said = outcome(type, items, does.done);
  const close = () => onClose(items.some(({ state }) => state === "done") ? said : undefined);

  const isOne = rows.length === 1;
  const things = isOne ? fullName(type, rows[0]) : nameOfAll(type, rows);
  const verb = isOne ? (does.verb ?? label) : does.several(String(rows.length));
  const shown = phase === "running" && isOne ? "asking" : phase;
  const titles = { asking: does.question(things), running: verb, over: said };
  return (
    <Dialog title={titles[shown]} focusKey={shown} onDismiss={phase === "running" ? stop : close}>
      {shown === "asking" && (
        <Question
          {...{ operation, rows, unfit, verb }}
          onAgree={() => run("waiting")}
          onClose={close}
        />
      )}
      {shown === "running" && (
        <Running progress={progress} isStopping={rounds.isStopping} onStop={stop} />
      )}
      {shown === "over" && (
        <Outcomes {...{ type, items, isSignedIn }} onRun={run} onClose={close} />
      )}
    </Dialog>
  );
}
