import { AsyncLocalStorage } from "node:async_hooks";

// A single storage for everything that is known of a request: on Node 20, each further one slows down every promise.
const storage = new AsyncLocalStorage<object>();

/** Calls `work` for a request or a command: everything that `work` starts belongs to it, however long it takes. */
export const inWork = <T>(about: object, work: () => T): T => storage.run(about, work);

/** Calls `work` for the service itself, even if a request happened to trigger it. */
export const outsideWork = <T>(work: () => T): T => storage.exit(work);

/** The request or command that the caller works for. */
export const currentWork = (): object | undefined => storage.getStore();

/** Who makes a change, and by which API. The audit log records it with the change. */
export interface WriteContext {
  /** The API, by its name in the audit log. */
  readonly door: "REST" | "GRAPHQL" | "COMMAND_LINE";
  /** GraphQL's name of the operation, at REST too, or the words of a command, such as `catalogue import`. */
  readonly operation: string;
  /** The administrator's e-mail address, or the user of the operating system; undefined for a customer. */
  readonly actor?: string | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  readonly source?: string | undefined;
}

const writeContexts = new WeakMap<object, WriteContext>();

/**
 * Sets the write context of the current request or command. One at a time is enough: the operations of a request that
 * change something run one after another.
 */
export function setWriteContext(context: WriteContext): void {
  const current = currentWork();
  if (!current) throw new Error("Only a request or a command changes something");
  writeContexts.set(current, context);
}

/** Calls `work` in a write context: as a command, or in the request or command that calls it. */
export function inWriteContext<T>(context: WriteContext, work: () => T): T {
  if (!currentWork()) return inWork({}, () => inWriteContext(context, work));
  setWriteContext(context);
  return work();
}

/** The caller's write context; undefined for what the service does by itself. */
export function currentWriteContext(): WriteContext | undefined {
  const current = currentWork();
  return current && writeContexts.get(current);
}

/** The same as JSON, as the triggers of the audit log read it; empty for what the service does by itself. */
export function writeContextJson(): string {
  const context = currentWriteContext();
  return context ? JSON.stringify(context) : "";
}
