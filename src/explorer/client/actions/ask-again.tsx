import * as React from "react";
import type { Values } from "../operations/row-operation";
import type { AskingOperation } from "./ask-dialog";
import { differencesOf } from "./differences";
import { DifferencesTable } from "./differences-table";
import type { ValueSource } from "./shown-value";

interface AskAgainProps {
  readonly operation: AskingOperation;
  readonly source: ValueSource;
  /** The values that the administrator has seen, and those that the object has now. */
  readonly seen: Values;
  readonly present: Values;
  /** What the mutation does. */
  readonly verb: string;
  readonly onAgree: () => void;
  readonly onClose: () => void;
}

/** Shows how somebody else has changed an object meanwhile, and asks whether the mutation is to run all the same. */
export function AskAgain(props: AskAgainProps): React.ReactNode {
  const { operation, source, seen, present, verb, onAgree, onClose } = props;
  const { sets = {}, isFinal } = operation.does;
  const differences = differencesOf({ seen, now: present, wanted: sets });
  return (
    <>
      <p role="alert">Nothing was done with it yet.</p>
      <DifferencesTable {...{ differences, source }} />
      {isFinal && <p>This can’t be undone.</p>}
      <div className="action-buttons">
        <button
          type="button"
          className={`button${isFinal ? " primary dangerous" : ""}`}
          onClick={(event) => event.detail < 2 && onAgree()}
        >
          {verb} all the same
        </button>
        <button type="button" className="button" data-focus onClick={onClose}>
          Leave it as it is
        </button>
      </div>
    </>
  );
}
