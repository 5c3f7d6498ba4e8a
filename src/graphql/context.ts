import type { Services } from "../services";
import { BoundedQueue } from "../services/limits/bounded-queue";
import { createLoaders, type Loaders } from "./loaders";

/** What the resolvers of one request share. */
export interface Context {
  /** Its reads take turns, so that one request never holds many connections. */
  readonly turns: BoundedQueue;
  readonly loaders: Loaders;
  /** The client's IP address. */
  readonly address: string;
  readonly limits: Services["limits"];
  /** Admits a caller who has any of the roles; judged once per request and set of roles. */
  authorize(roles: readonly string[]): Promise<void>;
}

/** Reads of one request that run at a time; how many wait is bounded by the cost of an operation. */
const READS = { concurrency: 2, waiting: Infinity };

/** The context of a request from this address, with this bearer token, if it has any. */
export function createContext(
  services: Services,
  { token, address }: { token: string | undefined; address: string },
): Context {
  const verdicts = new Map<string, Promise<void>>();
  const turns = new BoundedQueue(READS);
  return {
    turns,
    loaders: createLoaders(services, turns),
    address,
    limits: services.limits,
    authorize: (roles) => {
      const key = roles.join();
      const verdict =
        verdicts.get(key) ?? services.authentication.authorize(token, roles).then(() => undefined);
      verdicts.set(key, verdict);
      return verdict;
    },
  };
}
