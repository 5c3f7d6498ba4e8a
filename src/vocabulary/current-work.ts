import { AsyncLocalStorage } from "node:async_hooks";

// A single storage for everything that is known of a request: on Node 20, each further one slows down every promise.
const storage = new AsyncLocalStorage<object>();

/** Calls `work` for a request or a command: everything that `work` starts belongs to it, however long it takes. */
export const inWork = <T>(about: object, work: () => T): T => storage.run(about, work);

/** Calls `work` for the service itself, even if a request happened to trigger it. */
export const outsideWork = <T>(work: () => T): T => storage.exit(work);

/** The request or command that the caller works for. */
export const currentWork = (): object | undefined => storage.getStore();
