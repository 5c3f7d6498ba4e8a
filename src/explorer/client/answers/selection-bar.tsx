import * as React from "react";
import type { RowAction } from "../actions/row-actions";

interface SelectionBarProps {
  readonly actions: readonly RowAction[];
  readonly onClear: () => void;
}

/** The actions on the selected rows. */
export function SelectionBar({ actions, onClear }: SelectionBarProps): React.ReactNode {
  return (
    <div className="selection-bar" role="group" aria-label="Selected rows" tabIndex={-1}>
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
