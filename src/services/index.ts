import { EventEmitter } from "node:events";
import type { Sequelize } from "sequelize-typescript";
import type { RateLimitSettings, Settings } from "../config/settings";
import { unmeasured, type Meter } from "../vocabulary/meter";
import { Accounts } from "./administrators/accounts";
import { AuditLog } from "./record/audit-log";
import { Authentication } from "./administrators/authentication";
import { Confirmation } from "./administrators/confirmation";
import { CatalogueAnswers, CatalogueCache } from "../reads/catalogue-cache";
import { CatalogueVersion } from "../reads/catalogue-version";
import { Categories } from "./catalogue/categories";
import { Deliveries } from "./events/deliveries";
import { DeliveryQueue } from "./events/delivery-queue";
import { Endpoints } from "./events/endpoints";
import { Events } from "./events/events";
import type { CircuitBreaker } from "../database/connection/pool";
import { SealedSecrets } from "./secrets/sealed-secrets";
import { IdempotencyKeys } from "./orders/idempotency-keys";
import { Lists } from "../lists/lists";
import { Identities } from "./administrators/identity";
import { Logins } from "./administrators/logins";
import { SecondFactors } from "./administrators/second-factors/second-factors";
import { WebAuthn } from "./administrators/second-factors/web-authn";
import { Invitations } from "./administrators/invitations";
import { LoginAttempts } from "./administrators/login-attempts";
import { LoginThrottle } from "./administrators/login-throttle";
import { CustomerList } from "./record/customer-list";
import { CatalogueImports } from "./catalogue/import-export/catalogue-imports";
import { Customers } from "./record/customers";
import { Exports } from "./record/exports";
import { Subscribers } from "./newsletter/subscribers";
import { SubscriptionTokens } from "./newsletter/subscription-tokens";
import { Lookups, Orders } from "./orders/orders";
import { Passwords } from "./administrators/passwords";
import { Prices } from "./catalogue/prices";
import { PerDatabase, ReadPool } from "../reads/read-pool";
import type { ReplicaState } from "../reads/replica";
import { Replicas, type ReplicaPool } from "../reads/replicas";
import { SessionPositions } from "../reads/position";
import { WholeLists } from "../reads/whole-lists";
import { Products } from "./catalogue/products";
import { Sales } from "./orders/sales";
import { RateLimit } from "./limits/rate-limit";
import { ProgramTokens } from "./administrators/program-tokens";
import { Sessions } from "./administrators/sessions";
import { Tokens } from "./administrators/tokens";

/** Everything the shop can do. The REST and GraphQL APIs call these services and nothing below them. */
export interface Services {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly authentication: Authentication;
  /** Caches the answers of catalogue reads; undefined if each is to be read from the database. */
  readonly catalogueCache: PerDatabase<CatalogueCache> | undefined;
  /** Answers catalogue reads, with or without a cache. */
  readonly catalogueAnswers: PerDatabase<CatalogueAnswers>;
  readonly categories: Categories;
  readonly confirmation: Confirmation;
  /** Emits `committed` after each change that an operation of this process has made. */
  readonly changes: EventEmitter<Changes>;
  readonly customers: Customers;
  readonly exports: Exports;
  readonly invitations: Invitations;
  readonly imports: CatalogueImports;
  readonly customerList: CustomerList;
  readonly deliveries: Deliveries;
  readonly deliveryQueue: DeliveryQueue;
  readonly endpoints: Endpoints;
  readonly events: Events;
  /** Refuses requests while too many wait for a connection to the database. */
  readonly breaker: Pick<CircuitBreaker, "refuseIfFull">;
  readonly logins: Logins;
  readonly secondFactors: SecondFactors;
  readonly subscribers: Subscribers;
  readonly subscriptionTokens: SubscriptionTokens;
  readonly orders: Orders;
  readonly prices: Prices;
  readonly products: Products;
  readonly programTokens: ProgramTokens;
  readonly sales: Sales;
  readonly sessions: Sessions;
  /** Sends reads to replicas; undefined if there are none. */
  readonly replicas: Replicas | undefined;
  /** Limits on the requests of one client address per minute. */
  readonly limits: Readonly<Record<keyof RateLimitSettings, RateLimit>>;
  /**
   * To be called after a change has been committed and before it is answered. Resolves with the position that the client
   * must send to see it at every process; undefined where there are no replicas.
   */
  afterChange(change?: { readonly isOfEndpoint: boolean }): Promise<string | undefined>;
  /** Ends the password threads and the work in the background. The database's pool stays open. */
  close(): Promise<void>;
}

interface Changes {
  readonly committed: [change: { readonly isOfEndpoint: boolean }];
}

export type { ReplicaState };

/** Pools of databases that follow the primary. */
export interface ReplicaPools {
  readonly pools: readonly ReplicaPool[];
  /** Is told when a replica is used, or used no more. */
  readonly report: (replica: string, state: ReplicaState) => void;
}

const NO_REPLICAS: ReplicaPools = { pools: [], report: () => undefined };

/** The services on a pool; `meter` counts what they do. */
export function createServices(
  sequelize: Sequelize & Pick<Services, "breaker">,
  settings: Settings,
  meter: Meter = unmeasured,
  { pools, report }: ReplicaPools = NO_REPLICAS,
): Services {
  const reads = new ReadPool(sequelize);
  const passwords = new Passwords(settings.passwords);
  const attempts = new LoginAttempts(
    new LoginThrottle(sequelize, settings.login),
    settings.login,
    meter,
  );
  const { cache, build } = settings.catalogue;
  const versions = new PerDatabase(reads, (database) =>
    cache ? new CatalogueVersion(database, build) : undefined,
  );
  const catalogueCache = cache
    ? new PerDatabase(reads, () => cacheOf(versions.current, 1 + pools.length))
    : undefined;
  const lists = new Lists(settings.database);
  const wholeLists = new WholeLists(reads, sequelize, settings.catalogue);
  const keys = new IdempotencyKeys(sequelize, settings.idempotencyKeys);
  const events = new Events(sequelize, reads, lists);
  const changes = new EventEmitter<Changes>();
  const replicas =
    pools.length === 0
      ? undefined
      : new Replicas(sequelize, pools, {
          maxLag: settings.database.replicaMaxLag,
          positions: new SessionPositions(settings.data),
          report,
          count: (replica) => meter.readFrom(replica ?? PRIMARY),
        });
  const subscriptionTokens = new SubscriptionTokens(settings.data);
  const auditLog = new AuditLog(sequelize, reads, lists);
  const tokens = new Tokens(settings.tokens, settings.data);
  const sessions = new Sessions(sequelize, tokens, settings);
  const authentication = new Authentication(sessions);
  const secrets = new SealedSecrets(settings.data);
  const webAuthn = new WebAuthn(settings);
  const secondFactors = new SecondFactors(sequelize, secrets, webAuthn);
  const identities = new Identities(sequelize, passwords, secrets, webAuthn);
  const endpoints = new Endpoints(sequelize, secrets);
  return {
    accounts: new Accounts(sequelize, passwords),
    auditLog,
    authentication,
    catalogueCache,
    catalogueAnswers: new PerDatabase(reads, () => new CatalogueAnswers(catalogueCache?.current)),
    changes,
    categories: new Categories(sequelize, reads, wholeLists),
    confirmation: new Confirmation(sequelize, attempts, identities, sessions),
    customers: new Customers(sequelize),
    exports: new Exports(sequelize, auditLog),
    invitations: new Invitations(sequelize, settings.data, { attempts, passwords, sessions }),
    imports: new CatalogueImports(settings.migrations),
    customerList: new CustomerList(reads, lists),
    breaker: sequelize.breaker,
    deliveries: new Deliveries(sequelize, reads, lists, endpoints, events),
    deliveryQueue: new DeliveryQueue(sequelize),
    endpoints,
    events,
    subscribers: new Subscribers(sequelize, reads, lists, subscriptionTokens, settings.newsletter),
    subscriptionTokens,
    orders: new Orders(sequelize, reads, keys, lists, new Lookups(settings.data), meter),
    prices: new Prices(sequelize, reads),
    products: new Products(sequelize, reads, lists, versions),
    programTokens: new ProgramTokens(sequelize, tokens),
    sales: new Sales(reads, lists),
    sessions,
    replicas,
    afterChange: async (change = { isOfEndpoint: false }) => {
      changes.emit("committed", change);
      return replicas?.afterChange();
    },
    logins: new Logins(sequelize, {
      ...{ attempts, authentication, identities, passwords, secondFactors, sessions },
    }),
    secondFactors,
    limits: {
      orders: perMinute("orders", settings.rateLimits),
      newsletter: perMinute("newsletter", settings.rateLimits),
      lookups: perMinute("lookups", settings.rateLimits),
    },
    close: async () => {
      await passwords.close();
    },
  };
}

function cacheOf(version: CatalogueVersion | undefined, databases: number): CatalogueCache {
  if (!version) throw new Error("Answers are cached only with a version");
  return new CatalogueCache(version, databases);
}

/** How metrics call the database that takes writes. */
const PRIMARY = "primary";

const perMinute = (name: keyof RateLimitSettings, limits: RateLimitSettings): RateLimit =>
  new RateLimit({ name, limit: limits[name], seconds: 60 });
