import * as React from "react";
import type { Asks, RowOperation, Values } from "../operations/row-operation";
import { AskAgain } from "./ask-again";
import { Dialog } from "./dialog";
import { Outcomes } from "./outcomes";
import { Question } from "./question";
import { Running } from "./running";
import type { Failure } from "./sent";
import type { ValueSource } from "./shown-value";
import { isDue } from "./run-each";
import { useRounds } from "./use-rounds";
import { capitalised, fullName, nameOfAll, outcome } from "./wording";

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
  readonly source: ValueSource;
  readonly act: (values: Values) => Promise<Failure | undefined>;
  /** @param said a message about what has been done, if anything */
  readonly onClose: (said?: string) => void;
}

/**
 * Asks before a mutation runs on rows. Then shows its progress, and the rows on which it has failed. Asks again about
 * those that somebody else has changed meanwhile.
 */
export function AskDialog(props: AskDialogProps): React.ReactNode {
  const { operation, rows, unfit, isSignedIn, source, act, onClose } = props;
  const { type, does, label } = operation;
  const rounds = useRounds(rows, act, (items) => onClose(outcome(type, items, does.done)));
  const { phase, items, progress, run, stop } = rounds;
  const said = outcome(type, items, does.done);
  const close = () => onClose(items.some(({ state }) => state === "done") ? said : undefined);

  const isOne = rows.length === 1;
  const things = isOne ? fullName(type, rows[0]) : nameOfAll(type, rows);
  const verb = isOne ? (does.verb ?? label) : does.several(String(rows.length));
  const [only] = isOne ? items : [];
  const present = only && isDue(only, "changed") ? only.failure?.present : undefined;
  const asked = present ? "asking again" : "asking";
  const shown = present || (phase === "running" && isOne) ? asked : phase;
  const titles = {
    asking: does.question(things),
    "asking again": `${capitalised(present ? fullName(type, present) : things)} was changed meanwhile`,
    running: verb,
    over: said,
  };
  return (
    <Dialog
      title={titles[shown]}
      // Whatever has the focus when the row has changed once more must not agree to that.
      focusKey={`${shown} ${String(present?.["version"])}`}
      onDismiss={phase === "running" ? stop : close}
    >
      {shown === "asking" && (
        <Question
          {...{ operation, rows, unfit, verb }}
          onAgree={() => run("waiting")}
          onClose={close}
        />
      )}
      {only && present && (
        <AskAgain
          {...{ operation, source, present, verb }}
          seen={only.values}
          onAgree={() => run("changed")}
          onClose={close}
        />
      )}
      {shown === "running" && (
        <Running progress={progress} isStopping={rounds.isStopping} onStop={stop} />
      )}
      {shown === "over" && (
        <Outcomes {...{ operation, items, isSignedIn, source }} onRun={run} onClose={close} />
      )}
    </Dialog>
  );
}
