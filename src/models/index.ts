import { Admin } from "./admin";
import { AuditEntry } from "./audit-entry";
import { Category } from "./category";
import { Event } from "./event";
import { IdempotencyKey } from "./idempotency-key";
import { NewsletterSubscriber } from "./newsletter-subscriber";
import { Order } from "./order";
import { OrderItem } from "./order-item";
import { Product } from "./product";
import { ProductPrice } from "./product-price";
import { OneTimeCodes, Passkey, RecoveryCode } from "./second-factors";
import { Session } from "./session";
import { WebhookDelivery } from "./webhook-delivery";
import { WebhookEndpoint } from "./webhook-endpoint";

export * from "./admin";
export * from "./audit-entry";
export * from "./category";
export * from "./event";
export * from "./idempotency-key";
export * from "./newsletter-subscriber";
export * from "./order";
export * from "./order-item";
export * from "./product";
export * from "./product-price";
export * from "./second-factors";
export * from "./session";
export * from "./webhook-delivery";
export * from "./webhook-endpoint";

export const models = [
  Admin,
  Session,
  OneTimeCodes,
  RecoveryCode,
  Passkey,
  Category,
  Product,
  ProductPrice,
  Order,
  OrderItem,
  NewsletterSubscriber,
  IdempotencyKey,
  AuditEntry,
  Event,
  WebhookEndpoint,
  WebhookDelivery,
] as const;
