import { useSyncExternalStore } from "react";
import type { Request } from "../service";

/** What actions have done to the objects of an answer, by their keys. */
export type Mark = "changed" | "deleted";

/** The marks, by the request of their answer: the same request, sent again, begins without marks. */
const marks = new WeakMap<Request, ReadonlyMap<string, Mark>>();
const listeners = new Set<() => void>();
let version = 0;

const NONE: ReadonlyMap<string, Mark> = new Map();

export function mark(request: Request, key: string, as: Mark): void {
  marks.set(request, new Map([...(marks.get(request) ?? NONE), [key, as]]));
  version += 1;
  for (const listener of listeners) listener();
}

/** The marks of an answer. */
export function useMarks(request: Request | undefined): ReadonlyMap<string, Mark> {
  useSyncExternalStore(subscribe, () => version);
  return (request && marks.get(request)) ?? NONE;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
