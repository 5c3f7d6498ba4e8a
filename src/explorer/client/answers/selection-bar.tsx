import * as React from "react";
import type { RowAction } from "../actions/row-actions";

interface SelectionBarProps {
  readonly count: number;
  readonly actions: readonly RowAction[];
  readonly onClear: () => void;
}

/** Says how many rows are selected, and what can be done with them. */
export function SelectionBar({ count, actions, onClear }: SelectionBarProps): React.ReactNode {
  return (
    <div className="selection-bar" role="group" aria-label="Selected rows">
      <span role="status">{count} selected</span>
      {actions.map((action) => (
        <button key={action.label} type="button" className="button small" onClick={action.run}>
          {action.label}
        </button>
      ))}
      <button type="button" className="button small" onClick={onClear}>
        Clear
      </button>
    </div>
  );
}
