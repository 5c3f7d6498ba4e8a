import { useState } from "react";
import type { Request } from "../service";
import { NOTHING, toggled, toggledAll, type Selection } from "./selection";

export interface RowSelection {
  readonly has: (key: string) => boolean;
  readonly toggle: (key: string, isRange: boolean) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/**
 * The selection of a table's rows. It survives changes within the same answer, and ends when another request is
 * answered.
 *
 * @param all the keys of the rows that can be selected
 */
export function useSelection(request: Request, all: readonly string[]): RowSelection {
  const [state, setState] = useState<{ request: Request; selection: Selection }>();
  const selection = state?.request === request ? state.selection : NOTHING;
  const set = (changed: Selection) => setState({ request, selection: changed });
  return {
    has: (key) => selection.keys.has(key),
    toggle: (key, isRange) => set(toggled(selection, all, key, isRange)),
    toggleAll: () => set(toggledAll(selection, all)),
    clear: () => set(NOTHING),
  };
}
