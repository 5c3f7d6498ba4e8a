import * as React from "react";
import type { AskingOperation } from "./ask-dialog";
import { differencesOf } from "./differences";
import { DifferencesList } from "./differences-table";
import { isDue, type Item, type TriedState } from "./run-each";
import type { ValueSource } from "./shown-value";
import { capitalised, fullName } from "./wording";

interface OutcomesProps {
  readonly operation: AskingOperation;
  readonly items: readonly Item[];
  /** While nobody is signed in, nothing can be tried again. */
  readonly isSignedIn: boolean;
  readonly source: ValueSource;
  readonly onRun: (state: TriedState) => void;
  readonly onClose: () => void;
}

/**
 * Shows which rows have failed and why, how somebody else has changed them, and how many have not begun, with buttons
 * to go on with them.
 */
export function Outcomes(props: OutcomesProps): React.ReactNode {
  const { operation, items, isSignedIn, source, onRun, onClose } = props;
  const { type, does } = operation;
  const failed = items.filter(({ failure }) => failure);
  const waiting = items.filter(({ state }) => state === "waiting");
  const canRetry = isSignedIn && items.some((item) => isDue(item, "failed"));
  const changed = items.filter((item) => isDue(item, "changed"));
  const isBarred = failed.some(({ failure }) => failure?.concernsService && failure.isForGood);
  return (
    <>
      {failed.length > 0 && (
        <div role="alert">
          <ul>
            {failed.map(({ values, failure }, index) => (
              <li key={index}>
                {capitalised(fullName(type, values))}:{" "}
                <span className="fault">{failure?.messages.join(". ")}</span>
                {failure?.present && (
                  <DifferencesList
                    differences={differencesOf({ seen: values, now: failure.present })}
                    source={source}
                  />
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {waiting.length > 0 && <p>{waiting.length} not begun.</p>}
      <div className="action-buttons">
        <button type="button" className="button" data-focus onClick={onClose}>
          Close
        </button>
        {canRetry && (
          <button type="button" className="button" onClick={() => onRun("failed")}>
            {items.length === 1 ? "Try again" : "Retry failed"}
          </button>
        )}
        {changed.length > 0 && isSignedIn && (
          <button
            type="button"
            className={`button${does.isFinal ? " primary dangerous" : ""}`}
            onClick={(event) => event.detail < 2 && onRun("changed")}
          >
            {does.several(String(changed.length))} all the same
          </button>
        )}
        {waiting.length > 0 && isSignedIn && !isBarred && (
          <button type="button" className="button" onClick={() => onRun("waiting")}>
            Continue
          </button>
        )}
      </div>
    </>
  );
}
