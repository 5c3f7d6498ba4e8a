/** What an answer is counted by. All names are the service's own, never a client's. */
interface RequestLabels {
  /** The API, or `other`. */
  readonly door: string;
  readonly operation: string;
  /** The answer's status, or its error code at GraphQL. */
  readonly code: number | string;
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

/** What is still to be sent to endpoints that are active, and how many endpoints there are. Ages are in seconds. */
export interface WebhookNumbers {
  readonly waiting: number;
  /** The age of the oldest that waits, or 0. */
  readonly oldest: number;
  /** How long the one that is due longest has been due, or 0. */
  readonly overdue: number;
  /** By state: `active`, of which `failing` are those where nothing succeeds; `inactive`; `disabled` by the service. */
  readonly endpoints: Readonly<Record<string, number>>;
}

/** How an attempt to send a webhook ended. After `failed` there is another attempt. */
export type WebhookEnd = "delivered" | "failed" | "given_up";

/** How a login ended. `blocked`: by earlier failures; `busy`: too many logins wait; `broken`: the service failed. */
export type LoginEnd = "succeeded" | "failed" | "blocked" | "busy" | "broken";

/**
 * What the parts of the service report about their work. No argument may be a text that clients choose, because
 * each value gets a count of its own.
 */
export interface Meter {
  requestEnded(labels: RequestLabels, seconds: number): void;
  /** A request, or a field of a GraphQL operation, was refused because the service can't answer now. */
  unavailable(reason: string): void;
  /** An order was stored, with a total such as `12.50`. */
  orderPlaced(totalAmount: string): void;
  /** A login got a slot, after waiting for `seconds`. */
  loginWaited(seconds: number): void;
  loginEnded(end: LoginEnd): void;
  /** An attempt to send a webhook ended. */
  webhookEnded(end: WebhookEnd): void;
  /** A statement ended. `name` is its name or, if it has none, that of its kind, such as `select`. */
  statementEnded(name: string, seconds: number, failed: boolean): void;
  /** Registers a function that reads the numbers of the pool. */
  watchPool(read: () => PoolNumbers): void;
  /** A request reads this database: the host of a replica, or `primary`. */
  readFrom(database: string): void;
  /** Registers a function that reads the state of each replica, by its host. Replicas are in use if it is `used`. */
  watchReplicas(read: () => ReadonlyMap<string, string | undefined>): void;
  /** Registers a function that says whether `TRUST_PROXY` is wrong for most requests. */
  watchProxies(read: () => boolean): void;
  /** Registers a function that reads the used share of each sequence, from 0 to 1, by the sequence's name. */
  watchSequences(read: () => Promise<ReadonlyMap<string, number>>): void;
  /** Registers a function that reads the numbers of webhooks. */
  watchWebhooks(read: () => Promise<WebhookNumbers>): void;
}

/** Counts nothing. */
export const unmeasured = new Proxy({} as Meter, { get: () => () => undefined });
