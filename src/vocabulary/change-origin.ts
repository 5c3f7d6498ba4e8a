import { currentWork, inWork } from "./current-work";

/** Where a change comes from. The audit log keeps it with the change. */
export interface ChangeOrigin {
  readonly door: "REST" | "GRAPHQL" | "COMMAND_LINE";
  /** GraphQL's name of the operation, at REST too, or the words of a command, such as `catalogue import`. */
  readonly operation: string;
  /** The administrator's e-mail address, or the user of the operating system; undefined for a customer. */
  readonly actor?: string | undefined;
  /** The client's IP address. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** The name of an imported file. */
  readonly source?: string | undefined;
}

const origins = new WeakMap<object, ChangeOrigin>();

/**
 * Calls `work`. From now on, all changes of the current request or command come from `origin`: the operations of a
 * request that change something run one after another.
 */
export function changingFrom<T>(origin: ChangeOrigin, work: () => T): T {
  const current = currentWork();
  if (!current) return inWork({}, () => changingFrom(origin, work));
  origins.set(current, origin);
  return work();
}

/** Where the changes that the caller makes come from; undefined for what the service does by itself. */
export function currentOrigin(): ChangeOrigin | undefined {
  const current = currentWork();
  return current && origins.get(current);
}
