/** Requests for one operation of a door. It is looked up once, so that counting a request costs little. */
export interface RequestTally {
  /**
   * Counts a request that was answered.
   *
   * @param code the answer's status, or its error code at GraphQL
   */
  add(code: number | string, seconds: number): void;
}

/** The connections of the database pool at this moment, and the refusals since the start. */
export interface PoolNumbers {
  /** The most connections. */
  readonly size: number;
  readonly inUse: number;
  readonly waiting: number;
  /** Requests that were refused a connection. */
  readonly refused: number;
}

/** How a login ended: `blocked` by earlier failures, refused because too many are waiting (`busy`). */
export type LoginEnd = "succeeded" | "failed" | "blocked" | "busy" | "broken";

/**
 * What the parts of a shop tell about their work, for whoever counts it. No argument may be a text that
 * clients choose, because each value is counted by itself.
 */
export interface Meter {
  requestsOf(door: string, operation: string): RequestTally;
  /** A request, or a field of a GraphQL operation, was refused because the service can't answer now. */
  unavailable(reason: string): void;
  /** An order was stored, with a total such as `12.50`. */
  orderPlaced(totalAmount: string): void;
  /** A login had its turn. */
  loginWaited(seconds: number): void;
  loginEnded(end: LoginEnd): void;
  /** A statement ended; one that was not sent under a name has the name of its kind. */
  statementEnded(name: string, seconds: number, failed: boolean): void;
  /** Says where the numbers of the pool can be read. */
  watchPool(read: () => PoolNumbers): void;
  /** Says where it can be read whether `TRUST_PROXY` does not fit most requests. */
  watchProxies(read: () => boolean): void;
  /** Says where the share of each sequence that is used, from 0 to 1, can be read by the sequence's name. */
  watchSequences(read: () => Promise<ReadonlyMap<string, number>>): void;
}

const nothing = (): void => undefined;

/** Counts nothing. */
export const unmeasured: Meter = {
  requestsOf: () => ({ add: nothing }),
  unavailable: nothing,
  orderPlaced: nothing,
  loginWaited: nothing,
  loginEnded: nothing,
  statementEnded: nothing,
  watchPool: nothing,
  watchProxies: nothing,
  watchSequences: nothing,
};
