import * as React from "react";
import type { TypeName } from "../operations/row-operation";
import { isDue, type Item } from "./run-each";
import { capitalised, fullName } from "./wording";

interface OutcomesProps {
  readonly type: TypeName;
  readonly items: readonly Item[];
  /** While nobody is signed in, nothing can be tried again. */
  readonly isSignedIn: boolean;
  readonly onRun: (state: "waiting" | "failed") => void;
  readonly onClose: () => void;
}

/** Shows which rows have failed and why, how many have not begun, and buttons to go on with them. */
export function Outcomes(props: OutcomesProps): React.ReactNode {
  const { type, items, isSignedIn, onRun, onClose } = props;
  const failed = items.filter(({ state }) => state === "failed");
  const waiting = items.filter(({ state }) => state === "waiting");
  const canRetry = isSignedIn && items.some((item) => isDue(item, "failed"));
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
        {waiting.length > 0 && isSignedIn && !isBarred && (
          <button type="button" className="button" onClick={() => onRun("waiting")}>
            Continue
          </button>
        )}
      </div>
    </>
  );
}
