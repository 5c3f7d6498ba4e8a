import * as React from "react";
import type { TypeName } from "../operations/row-operation";
import type { Item } from "./run-each";
import { capitalised, fullName } from "./wording";

interface OutcomesProps {
  readonly type: TypeName;
  readonly items: readonly Item[];
  readonly onRun: (state: "waiting" | "failed") => void;
  readonly onClose: () => void;
}

/** Which rows have failed and why, how many have not begun, and what can be done about them. */
export function Outcomes({ type, items, onRun, onClose }: OutcomesProps): React.ReactNode {
  const failed = items.filter(({ state }) => state === "failed");
  const waiting = items.filter(({ state }) => state === "waiting");
  return (
    <>
      {failed.length > 0 && (
        <ul role="alert">
          {failed.map(({ values, messages }, index) => (
            <li key={index}>
              {capitalised(fullName(type, values))}:{" "}
              <span className="fault">{messages.join(". ")}</span>
            </li>
          ))}
        </ul>
      )}
      {waiting.length > 0 && <p>{waiting.length} not begun.</p>}
      <div className="action-buttons">
        <button type="button" className="button" data-focus onClick={onClose}>
          Close
        </button>
        {failed.length > 0 && (
          <button type="button" className="button" onClick={() => onRun("failed")}>
            {items.length === 1 ? "Try again" : "Retry failed"}
          </button>
        )}
        {waiting.length > 0 && (
          <button type="button" className="button" onClick={() => onRun("waiting")}>
            Continue
          </button>
        )}
      </div>
    </>
  );
}
