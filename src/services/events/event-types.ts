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

/** The type of an event that tells of nothing: it shows that an endpoint is reached. */
export const TEST_EVENT = "test.ping";

/** What others can be told of. */
export const eventTypes: readonly string[] = [...Object.values(typesOf).flat(), TEST_EVENT];

/** The types of a subject's events; none for a subject that nobody is told of. */
export const eventTypesOf = (subject: AuditSubject): readonly string[] =>
  subject in typesOf ? typesOf[subject as keyof typeof typesOf] : [];
