import type { Sequelize } from "sequelize-typescript";
import { AdminService } from "./admin-service";
import { AuthenticationService, type LoginSettings } from "./authentication-service";
import { CategoryProducts } from "./category-products";
import { CategoryService } from "./category-service";
import { IdempotencyKeys } from "./idempotency-keys";
import { Lists, type ListSettings } from "./lists";
import { LoginGuard, type LoginGuardSettings } from "./login-guard";
import { NewsletterService } from "./newsletter-service";
import { OrderService } from "./order-service";
import { Passwords, type PasswordSettings } from "./passwords";
import { ProductService } from "./product-service";
import { RateLimit } from "./rate-limit";
import { Tokens, type TokenSettings } from "./tokens";

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
  readonly admins: AdminService;
  readonly authentication: AuthenticationService;
  readonly categories: CategoryService;
  readonly categoryProducts: CategoryProducts;
  readonly newsletter: NewsletterService;
  readonly orders: OrderService;
  readonly products: ProductService;
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
    admins: new AdminService(sequelize, passwords),
    authentication: new AuthenticationService(
      sequelize,
      passwords,
      new Tokens(settings),
      new LoginGuard(sequelize, settings),
      settings,
    ),
    categories: new CategoryService(sequelize),
    categoryProducts: new CategoryProducts(sequelize),
    newsletter: new NewsletterService(sequelize, lists),
    orders: new OrderService(
      sequelize,
      new IdempotencyKeys(sequelize, settings.idempotencyTtl),
      lists,
    ),
    products: new ProductService(sequelize, lists),
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
