import { Category, Product, ProductPrice } from "./catalogue";
import { IdempotencyKey, Order, OrderItem } from "./orders";
import { Admin, NewsletterSubscriber, Session } from "./people";
import { AuditEntry, Event } from "./record";
import { OneTimeCodes, Passkey, RecoveryCode } from "./second-factors";
import { WebhookDelivery, WebhookEndpoint } from "./webhooks";

export * from "./catalogue";
export * from "./orders";
export * from "./people";
export * from "./record";
export * from "./second-factors";
export * from "./webhooks";

export const models = [
  ...[Admin, Session, OneTimeCodes, RecoveryCode, Passkey, NewsletterSubscriber],
  ...[Category, Product, ProductPrice, Order, OrderItem, IdempotencyKey],
  ...[AuditEntry, Event, WebhookEndpoint, WebhookDelivery],
];
