import type { Sequelize } from "sequelize-typescript";
import type { RateLimitSettings, Settings } from "../config/settings";
import { unmeasured, type Meter } from "../vocabulary/meter";
import { Accounts } from "./administrators/accounts";
import { AuditLog } from "./record/audit-log";
import { Authentication } from "./administrators/authentication";
import { CatalogueCache } from "../reads/catalogue-cache";
import { JsonLists } from "../reads/json-lists";
import { CatalogueVersion } from "../reads/catalogue-version";
import { CategoryProducts } from "./catalogue/category-products";
import { Categories } from "./catalogue/categories";
import { Deliveries } from "./events/deliveries";
import { DeliveryQueue } from "./events/delivery-queue";
import { Endpoints } from "./events/endpoints";
import { Events } from "./events/events";
import { SealedSecrets } from "./secrets/sealed-secrets";
import { IdempotencyKeys } from "./orders/idempotency-keys";
import { ListCountCompactor } from "../lists/counts/list-count-compactor";
import { Lists } from "../lists/lists";
import { LoginAttempts } from "./administrators/login-attempts";
import { LoginThrottle } from "./administrators/login-throttle";
import { Customers } from "./record/customers";
import { Subscribers } from "./newsletter/subscribers";
import { Lookups } from "./orders/lookups";
import { Orders } from "./orders/orders";
import { Passwords } from "./administrators/passwords";
import { Prices } from "./catalogue/prices";
import { Products } from "./catalogue/products";
import { RateLimit } from "./limits/rate-limit";
import { Tokens } from "./administrators/tokens";

/** Everything the shop can do. The REST and GraphQL APIs call these services and nothing below them. */
export interface Services {
  readonly accounts: Accounts;
  readonly auditLog: AuditLog;
  readonly authentication: Authentication;
  /** Keeps the answers of catalogue reads; undefined if each is to be read from the database. */
  readonly catalogueCache: CatalogueCache | undefined;
  readonly categories: Categories;
  readonly categoryProducts: CategoryProducts;
  readonly customers: Customers;
  readonly deliveries: Deliveries;
  readonly deliveryQueue: DeliveryQueue;
  readonly endpoints: Endpoints;
  readonly events: Events;
  readonly subscribers: Subscribers;
  readonly orders: Orders;
  readonly prices: Prices;
  readonly products: Products;
  /** Limits on the requests of one client address per minute. */
  readonly limits: Readonly<Record<keyof RateLimitSettings, RateLimit>>;
  /** Ends the password threads, long lists and the work in the background. The database's pool stays open. */
  close(): Promise<void>;
}

/** The services on a pool; `meter` counts what they do. */
export function createServices(
  sequelize: Sequelize,
  settings: Settings,
  meter: Meter = unmeasured,
): Services {
  const passwords = new Passwords(settings.passwords);
  const compactor = new ListCountCompactor(sequelize, settings.database.url);
  const { cache, build } = settings.catalogue;
  const versions = cache ? new CatalogueVersion(sequelize, build) : undefined;
  const lists = new Lists(sequelize, compactor, settings.database);
  const jsonLists = new JsonLists(sequelize, versions, settings.catalogue);
  const keys = new IdempotencyKeys(sequelize, settings.idempotencyKeys);
  const events = new Events(sequelize, lists);
  const endpoints = new Endpoints(sequelize, new SealedSecrets(settings.data));
  return {
    accounts: new Accounts(sequelize, passwords),
    auditLog: new AuditLog(sequelize, lists),
    authentication: new Authentication(
      sequelize,
      passwords,
      new Tokens(settings.tokens),
      new LoginAttempts(new LoginThrottle(sequelize, settings.login), settings.login, meter),
    ),
    catalogueCache: versions && new CatalogueCache(versions),
    categories: new Categories(sequelize, settings.catalogue, jsonLists),
    categoryProducts: new CategoryProducts(sequelize, jsonLists),
    customers: new Customers(sequelize),
    deliveries: new Deliveries(sequelize, lists, endpoints, events),
    deliveryQueue: new DeliveryQueue(sequelize),
    endpoints,
    events,
    subscribers: new Subscribers(sequelize, lists),
    orders: new Orders(sequelize, keys, lists, new Lookups(settings.data), meter),
    prices: new Prices(sequelize),
    products: new Products(sequelize, lists, settings.catalogue),
    limits: {
      orders: perMinute("orders", settings.rateLimits),
      newsletter: perMinute("newsletter", settings.rateLimits),
      lookups: perMinute("lookups", settings.rateLimits),
    },
    close: async () => {
      await Promise.all([
        passwords.close(),
        compactor.close(),
        versions?.close(),
        jsonLists.close(),
      ]);
    },
  };
}

const perMinute = (name: keyof RateLimitSettings, limits: RateLimitSettings): RateLimit =>
  new RateLimit({ name, limit: limits[name], seconds: 60 });
