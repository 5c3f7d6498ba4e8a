import type { Client } from "pg";
import sql from "sql-template-tag";
import { hasAddress } from "../../database/statements/has-address";
import { inSnapshot, type Snapshot } from "../../database/statements/snapshot";
import type { AuditChange, AuditSubject } from "../../models";
import { spellingsOf } from "../../vocabulary/text/email-address";
import { subscriberIn, type ExportedSubscriber } from "../newsletter/export-subscribers";
import { ordersIn, type OrderExport } from "../orders/export-orders";
import { OrderFilter } from "../orders/inputs/order-filter";
import { eventsOfCustomer, namesCustomer } from "./erasure";
import type { CustomerInput } from "./inputs/customer-input";

/** A change of what is stored of the customer. Who made it is not the customer's data. */
interface ExportedEntry {
  readonly at: string;
  readonly operation: string;
  readonly subject: AuditSubject;
  readonly subjectId: number | null;
  readonly changes: readonly AuditChange[];
}

/** What was told of an order or the subscription of the customer, with its subject as it was then. */
interface ExportedEvent {
  readonly at: string;
  readonly type: string;
  readonly data: object;
}

/** The idempotency key that an order was placed under. */
interface ExportedKey {
  readonly key: string;
  readonly orderId: number;
  readonly createdAt: string;
}

/** All that is stored of a customer at one moment. The lists are read in this order. */
export interface CustomerExport {
  readonly orders: OrderExport["batches"];
  readonly subscription: ExportedSubscriber | null;
  readonly auditEntries: AsyncIterable<readonly ExportedEntry[]>;
  readonly events: AsyncIterable<readonly ExportedEvent[]>;
  readonly idempotencyKeys: AsyncIterable<readonly ExportedKey[]>;
}

/** Calls `write` with all that is stored of a customer. Changes go on meanwhile and are not seen. */
export const exportCustomer = <T>(
  client: Client,
  { email }: CustomerInput,
  write: (customer: CustomerExport) => Promise<T>,
): Promise<T> =>
  inSnapshot(client, async (snapshot) => {
    const spellings = spellingsOf(email);
    const filter = Object.assign(new OrderFilter(), { customerEmail: email });
    const { batches: orders } = await ordersIn(snapshot, filter);
    return write({
      orders,
      subscription: await subscriberIn(snapshot, email),
      auditEntries: entriesOf(snapshot, spellings),
      events: eventsOf(snapshot, spellings),
      idempotencyKeys: keysOf(snapshot, email),
    });
  });

async function* entriesOf(
  snapshot: Snapshot,
  spellings: readonly string[],
): AsyncGenerator<ExportedEntry[]> {
  const batches = snapshot.batches<Omit<ExportedEntry, "at"> & { readonly at: Date }>(
    sql`SELECT at, operation, subject, subject_id AS "subjectId", changes FROM audit_entries
        WHERE ${namesCustomer(spellings)} ORDER BY id`,
  );
  for await (const rows of batches) {
    yield rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }
}

async function* eventsOf(
  snapshot: Snapshot,
  spellings: readonly string[],
): AsyncGenerator<ExportedEvent[]> {
  const batches = snapshot.batches<Omit<ExportedEvent, "at"> & { readonly at: Date }>(
    sql`SELECT at, type, event_data(events) AS data FROM events
        WHERE id IN (${eventsOfCustomer(spellings)}) ORDER BY id`,
  );
  for await (const rows of batches) {
    yield rows.map((row) => ({ ...row, at: row.at.toISOString() }));
  }
}

async function* keysOf(snapshot: Snapshot, email: string): AsyncGenerator<ExportedKey[]> {
  const batches = snapshot.batches<Omit<ExportedKey, "createdAt"> & { readonly createdAt: Date }>(
    sql`SELECT key, order_id AS "orderId", idempotency_keys.created_at AS "createdAt"
        FROM idempotency_keys JOIN orders ON orders.id = order_id
        WHERE ${hasAddress("customer_email", email)} ORDER BY order_id`,
  );
  for await (const rows of batches) {
    yield rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  }
}
