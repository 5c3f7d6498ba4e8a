import type { Sequelize } from "sequelize-typescript";
import { AdminService } from "./admin-service";
import { AuthenticationService } from "./authentication-service";
import { CategoryService } from "./category-service";
import { IdempotencyKeys } from "./idempotency-keys";
import { NewsletterService } from "./newsletter-service";
import { OrderService } from "./order-service";
import { Passwords, type PasswordSettings } from "./passwords";
import { ProductService } from "./product-service";
import { Tokens, type TokenSettings } from "./tokens";

/** Everything the shop can do; both doors call these and nothing below them. */
export interface Services {
  readonly admins: AdminService;
  readonly authentication: AuthenticationService;
  readonly categories: CategoryService;
  readonly newsletter: NewsletterService;
  readonly orders: OrderService;
  readonly products: ProductService;
}

/** The services on one connection. */
export function createServices(
  sequelize: Sequelize,
  settings: PasswordSettings & TokenSettings & { readonly idempotencyTtl: number },
): Services {
  const passwords = new Passwords(settings);
  return {
    admins: new AdminService(sequelize, passwords),
    authentication: new AuthenticationService(sequelize, passwords, new Tokens(settings)),
    categories: new CategoryService(sequelize),
    newsletter: new NewsletterService(sequelize),
    orders: new OrderService(sequelize, new IdempotencyKeys(sequelize, settings.idempotencyTtl)),
    products: new ProductService(sequelize),
  };
}
