import type { Request } from "express";
import { bearerToken } from "../http/request/request-headers";
import { nameAdministrator, type MetricLabels } from "../http/request/request-context";
import type { Services } from "../services";
import { BoundedQueue } from "../vocabulary/bounded-queue";
import type { ReadRoute } from "../reads/replicas";
import type { CacheableRequest } from "./cacheable-request";
import type { GrowingAnswer } from "./limits/growing-answer";
import { createLoaders, type Loaders } from "./schema/loaders";

/** What the resolvers of one request share. */
export interface Context {
  /** Runs a read for the answer when its turn comes, so that one request never holds many connections. */
  readonly read: Read;
  readonly loaders: Loaders;
  readonly address: string;
  /** The request's bearer token, if it has one. It may be invalid. */
  readonly token: string | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly answer: GrowingAnswer;
  readonly limits: Services["limits"];
  /** The request, if its answer may be kept. */
  readonly cacheable: CacheableRequest | undefined;
  /** The replica that the request reads; undefined if it reads the primary. */
  readonly route: ReadRoute | undefined;
  /** Must be awaited after each change. */
  readonly changed: (what: string) => Promise<void>;
  /** Labels the answer for metrics. Not a property to be set: Apollo gives its plugins a copy of the context. */
  readonly label: (labels: MetricLabels) => void;
  /** Rejects unless the caller has one of the roles. Checks each set of roles once per request. */
  authorize(roles: readonly string[]): Promise<void>;
}

/** Runs a task that reads for the answer, and returns what it read; see {@link GrowingAnswer.read}. */
export type Read = <Rows>(task: () => Promise<Rows>) => Promise<Rows>;

/** Reads of one request that run at a time. The cost limit of an operation bounds how many wait. */
const READS = { concurrency: 2, waiting: Infinity };

/** What the context takes from a request. */
interface Origin extends Pick<
  Context,
  "address" | "signal" | "answer" | "cacheable" | "route" | "changed" | "label"
> {
  readonly request: Request;
}

/** Creates the context of one request. */
export function createContext(
  services: Services,
  { request, address, signal, answer, cacheable, route, changed, label }: Origin,
): Context {
  const checks = new Map<string, Promise<void>>();
  const turns = new BoundedQueue(READS);
  const read: Read = async (task) => {
    await turns.enter();
    try {
      return await answer.read(task);
    } catch (error) {
      route?.note(error);
      throw error;
    } finally {
      turns.leave();
    }
  };
  return {
    read,
    loaders: createLoaders(services, read),
    address,
    get token() {
      return bearerToken(request);
    },
    signal,
    answer,
    limits: services.limits,
    cacheable,
    route,
    changed,
    label,
    authorize: (roles) => {
      const key = roles.join();
      const check =
        checks.get(key) ??
        services.authentication
          .authorize(bearerToken(request), roles)
          .then(({ id, email }) => nameAdministrator(id, email));
      checks.set(key, check);
      return check;
    },
  };
}
