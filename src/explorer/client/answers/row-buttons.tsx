import * as React from "react";
import type { RowAction } from "../actions/row-actions";
import { RowMenu } from "./row-menu";

interface RowButtonsProps {
  readonly actions: readonly RowAction[];
  /** Names the row for those who can't see it: "order 12". */
  readonly rowName: string;
}

/** Actions that have buttons of their own; the others are in a menu. */
const SHOWN = 2;

/** What can be done with a row. */
export function RowButtons({ actions, rowName }: RowButtonsProps): React.ReactNode {
  const inMenu = actions.slice(SHOWN);
  return (
    <div className="row-buttons">
      {actions.slice(0, SHOWN).map((action) => (
        <button
          key={action.label}
          type="button"
          className="button small"
          aria-label={`${action.label}, ${rowName}`}
          onClick={action.run}
        >
          {action.label}
        </button>
      ))}
      {inMenu.length > 0 && <RowMenu actions={inMenu} rowName={rowName} />}
    </div>
  );
}
