import * as React from "react";
import type { Values } from "../operations/row-operation";
import type { AskingOperation } from "./ask-dialog";
import { capitalised, fullName, totalOf } from "./wording";

interface QuestionProps {
  readonly operation: AskingOperation;
  readonly rows: readonly Values[];
  readonly unfit: number;
  /** The label of the button that agrees. */
  readonly verb: string;
  readonly onAgree: () => void;
  readonly onClose: () => void;
}

/** The number of rows that are named. The others are only counted. */
const NAMED = 5;

/** Says what will happen, with the button that agrees to it. */
export function Question(props: QuestionProps): React.ReactNode {
  const { operation, rows, unfit, verb, onAgree, onClose } = props;
  const { type, does } = operation;
  const total = type === "Order" && rows.length > 1 ? totalOf(rows) : undefined;
  const hidden = rows.length - NAMED;
  return (
    <>
      {rows.length > 1 && (
        <ul>
          {rows.slice(0, NAMED).map((row, index) => (
            <li key={index}>{capitalised(fullName(type, row))}</li>
          ))}
          {hidden > 0 && <li>and {hidden} more</li>}
        </ul>
      )}
      {total !== undefined && <p>They come to {total} together.</p>}
      {unfit > 0 && (
        <p>
          {unfit} of the {unfit + rows.length} selected can’t be changed so, and{" "}
          {unfit === 1 ? "stays as it is" : "stay as they are"}.
        </p>
      )}
      {does.isFinal && <p>This can’t be undone.</p>}
      <div className="action-buttons">
        <button
          type="button"
          className={`button primary${does.isFinal ? " dangerous" : ""}`}
          data-focus={!does.isFinal || undefined}
          // The second click of a double click was meant for the button that opened the dialog.
          onClick={(event) => event.detail < 2 && onAgree()}
        >
          {verb}
        </button>
        <button
          type="button"
          className="button"
          data-focus={does.isFinal || undefined}
          onClick={onClose}
        >
          Go back
        </button>
      </div>
    </>
  );
}
