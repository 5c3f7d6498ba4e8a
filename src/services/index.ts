import type { Sequelize } from "sequelize-typescript";
import { Accounts } from "./administrators/accounts";
import { Authentication, type LoginSettings } from "./administrators/authentication";
import { CategoryProducts } from "./catalogue/category-products";
import { Categories } from "./catalogue/categories";
import { IdempotencyKeys } from "./orders/idempotency-keys";
import { Lists, type ListSettings } from "./lists/lists";
import { LoginGuard, type LoginGuardSettings } from "./administrators/login-guard";
import { Subscribers } from "./newsletter/subscribers";
import { Orders } from "./orders/orders";
import { Passwords, type PasswordSettings } from "./administrators/passwords";
import { Products } from "./catalogue/products";
import { RateLimit } from "./limits/rate-limit";
import { Tokens, type TokenSettings } from "./administrators/tokens";

/** What the services are set by. */
export interface ServiceSettings
  extends PasswordSettings, LoginSettings, TokenSettings, LoginGuardSettings, ListSettings {
  /** How long idempotency keys are remembered, in seconds. */
  readonly idempotencyTtl: number;
  /** Requests a minute and address; 0 is off. */
  readonly orderRateLimit: number;
  readonly newsletterRateLimit: number;
}

/** Everything the shop can do; both doors call these and nothing below them. */
export interface Services {
  readonly accounts: Accounts;
  readonly authentication: Authentication;
  readonly categories: Categories;
  readonly categoryProducts: CategoryProducts;
  readonly subscribers: Subscribers;
  readonly orders: Orders;
  readonly products: Products;
  /** What one address may do in a minute. */
  readonly limits: { readonly orders: RateLimit; readonly newsletter: RateLimit };
  /** Ends what runs beside the database, which is not closed. */
  close(): Promise<void>;
}

const MINUTE = 60;

/** The services on one connection. */
export function createServices(sequelize: Sequelize, settings: ServiceSettings): Services {
  const passwords = new Passwords(settings);
  const lists = new Lists(sequelize, settings);
  return {
    accounts: new Accounts(sequelize, passwords),
    authentication: new Authentication(
      sequelize,
      passwords,
      new Tokens(settings),
      new LoginGuard(sequelize, settings),
      settings,
    ),
    categories: new Categories(sequelize),
    categoryProducts: new CategoryProducts(sequelize),
    subscribers: new Subscribers(sequelize, lists),
    orders: new Orders(sequelize, new IdempotencyKeys(sequelize, settings.idempotencyTtl), lists),
    products: new Products(sequelize, lists),
    limits: {
      orders: new RateLimit({ name: "orders", limit: settings.orderRateLimit, seconds: MINUTE }),
      newsletter: new RateLimit({
        name: "newsletter",
        limit: settings.newsletterRateLimit,
        seconds: MINUTE,
      }),
    },
    close: () => passwords.close(),
  };
}
