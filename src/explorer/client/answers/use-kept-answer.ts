import { useRef } from "react";
import type { ActiveTab, Answered } from "../workbench/active-tab";

/**
 * The answer of a tab. While its operation runs, GraphiQL has no answer; this returns the previous one, if it is of
 * the same tab.
 */
export function useKeptAnswer({ id, answered }: ActiveTab): Answered | undefined {
  const kept = useRef<{ id: string; answered: Answered }>();
  if (answered) kept.current = { id, answered };
  else if (kept.current?.id !== id) kept.current = undefined;
  return kept.current?.answered;
}
