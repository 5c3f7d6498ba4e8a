import { hash } from "node:crypto";
import type { Request } from "express";
import { nameAdministrator, type MetricLabels } from "../http/request/request-context";
import { bearerToken } from "../http/request/request-headers";
import type { Answer, CatalogueCache, CatalogueRead } from "../reads/catalogue-cache";
import type { ReadRoute } from "../reads/replicas";
import type { Demands, Principal } from "../services/administrators/authentication";
import type { Services } from "../services";
import { BoundedQueue } from "../vocabulary/bounded-queue";
import type { GrowingAnswer } from "./limits/growing-answer";
import { createLoaders, type Loaders } from "./schema/loaders";

/** What the resolvers of one request share. */
export interface Context {
  /** Runs a read for the answer when a slot is free, so that one request never holds many connections. */
  readonly read: Read;
  readonly loaders: Loaders;
  readonly address: string;
  /** The client's User-Agent. */
  readonly client: string | undefined;
  /** The request's bearer token, if it has one. It may be invalid. */
  readonly token: () => string | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  readonly answer: GrowingAnswer;
  readonly limits: Services["limits"];
  /** The request, if its answer may be cached. */
  readonly cacheable: CacheableRequest | undefined;
  /** The replica that the request reads; undefined if it reads the primary. */
  readonly route: ReadRoute | undefined;
  /** Must be awaited after each change. */
  readonly changed: (what: string) => Promise<void>;
  /** Labels the answer for metrics. Not a property to be set: Apollo gives its plugins a copy of the context. */
  readonly label: (labels: MetricLabels) => void;
  /**
   * Rejects unless the caller has one of the roles, and the token meets the demands of an operation. Checks the token
   * once per request for each set of roles.
   */
  authorize(roles: readonly string[], demands?: Demands): Promise<void>;
  /** Who was authorized last. */
  readonly principal: () => Principal;
  /** Makes the next operation check the token anew. */
  readonly forgetToken: () => void;
}

/** Runs a task that reads for the answer, and returns what it read; see {@link GrowingAnswer.read}. */
export type Read = <Rows>(task: () => Promise<Rows>) => Promise<Rows>;

/** Reads of one request that run at a time. The cost limit of an operation bounds how many wait. */
const READS = { concurrency: 2, waiting: Infinity };

/** What the context takes from a request. */
interface Origin extends Pick<
  Context,
  "address" | "client" | "signal" | "answer" | "cacheable" | "route" | "changed" | "label"
> {
  readonly request: Request;
}

/** Creates the context of one request. */
export function createContext(
  services: Services,
  { request, address, client, signal, answer, cacheable, route, changed, label }: Origin,
): Context {
  const { authentication } = services;
  const token = () => bearerToken(request);
  const checks = new Map<string, ReturnType<typeof authentication.check>>();
  let principal: Principal | undefined;
  const slots = new BoundedQueue(READS);
  const read: Read = async (task) => {
    await slots.enter();
    try {
      return await answer.read(task);
    } catch (error) {
      route?.note(error);
      throw error;
    } finally {
      slots.leave();
    }
  };
  return {
    read,
    loaders: createLoaders(services, read),
    address,
    client,
    token,
    signal,
    answer,
    limits: services.limits,
    cacheable,
    route,
    changed,
    label,
    authorize: async (roles, demands = {}) => {
      const key = roles.join();
      const check = checks.get(key) ?? authentication.check(token(), roles);
      checks.set(key, check);
      principal = authentication.permit(await check, demands);
      nameAdministrator(principal.id, principal.email);
    },
    principal: () => {
      if (!principal) throw new Error("Nobody was authorized");
      return principal;
    },
    forgetToken: () => checks.clear(),
  };
}

/**
 * One request, whose answer is cached if it turns out to be a catalogue read. A cached answer is found before anything
 * is parsed: by the method, the `Accept` header, and the bytes of the body or, for a GET, of the query string.
 */
export class CacheableRequest {
  private readonly key: string;
  private read: CatalogueRead | undefined;
  private hasSucceeded = false;

  constructor(
    private readonly cache: CatalogueCache,
    { method, headers }: Request,
    asked: Buffer,
  ) {
    // A line feed can't occur in a header.
    const accept = headers.accept === undefined ? "" : ` accept: ${headers.accept}`;
    const head = Buffer.from(`${method}${accept}\n`);
    this.key = `graphql ${hash("sha256", Buffer.concat([head, asked]), "base64url")}`;
  }

  /** The cached answer, if there is one and it is up to date. */
  async find(): Promise<Answer | undefined> {
    if (!this.cache.has(this.key)) return undefined;
    this.read = await this.cache.begin(this.key);
    return this.read.cached;
  }

  /** Call it before a catalogue read is executed. */
  async begin(): Promise<void> {
    this.read ??= await this.cache.begin(this.key);
  }

  /** Call it when a catalogue read was executed without errors. */
  succeed(): void {
    this.hasSucceeded = this.read !== undefined;
  }

  /** Caches the answer if the catalogue did not change while it was read. */
  async store(answer: Answer): Promise<void> {
    if (this.hasSucceeded) await this.read?.store(answer);
  }
}
