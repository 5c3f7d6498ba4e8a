import { AsyncLocalStorage } from "node:async_hooks";

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

const origins = new AsyncLocalStorage<ChangeOrigin>();

/** Calls `work`, all changes of which come from `origin`. */
export const changingFrom = <T>(origin: ChangeOrigin, work: () => T): T =>
  origins.run(origin, work);

/** Where the changes that the caller makes come from; undefined for what the service does by itself. */
export const currentOrigin = (): ChangeOrigin | undefined => origins.getStore();
