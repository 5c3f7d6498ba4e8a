import * as React from "react";
import type { RowAction } from "../actions/row-actions";
import { RowMenu } from "./row-menu";

interface RowButtonsProps {
  readonly actions: readonly RowAction[];
  /** The name of the row for screen readers: "order 12". */
  readonly rowName: string;
}

/** The most actions with buttons of their own, if there is room; the others are in a menu. */
const SHOWN = 2;

const narrow = matchMedia("(max-width: 760px)");

/** Whether the page is as narrow as a phone. */
const useIsNarrow = (): boolean =>
  React.useSyncExternalStore(
    (listener) => {
      narrow.addEventListener("change", listener);
      return () => narrow.removeEventListener("change", listener);
    },
    () => narrow.matches,
  );

/** The actions on a row, as buttons and a menu. */
export function RowButtons({ actions, rowName }: RowButtonsProps): React.ReactNode {
  const count = useIsNarrow() ? 0 : SHOWN;
  const inMenu = actions.slice(count);
  return (
    <div className="row-buttons">
      {actions.slice(0, count).map((action) => (
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
