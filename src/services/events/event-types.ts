import type { AuditSubject } from "../../models";

const typesOf = {
  CATEGORY: ["category.created", "category.updated", "category.deleted"],
  PRODUCT: ["product.created", "product.updated", "product.deleted"],
  ORDER: ["order.placed", "order.status_changed", "order.updated", "order.deleted"],
  NEWSLETTER_SUBSCRIBER: [
    "subscription.requested",
    "subscription.confirmed",
    "subscription.updated",
    "subscription.ended",
  ],
  CUSTOMER: ["customer.erased"],
} as const satisfies Partial<Record<AuditSubject, readonly string[]>>;

/** The type of a test: an event of no subject, which shows that an endpoint is reached. */
export const TEST_EVENT = "test.ping";

/** All types of events. */
export const eventTypes: readonly string[] = [...Object.values(typesOf).flat(), TEST_EVENT];

/** The types of a subject's events; none for a subject without events. */
export const eventTypesOf = (subject: AuditSubject): readonly string[] =>
  subject in typesOf ? typesOf[subject as keyof typeof typesOf] : [];
