import type { Client } from "pg";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { besidePool } from "../../database/connection/beside-pool";
import { hasAddress } from "../../database/statements/has-address";
import { inSnapshot, type Snapshot } from "../../database/statements/snapshot";
import type { AuditChange, AuditSubject } from "../../models";
import { BoundedQueue } from "../../vocabulary/bounded-queue";
import { spellingsOf } from "../../vocabulary/text/email-address";
import { subscriberIn, type ExportedSubscription } from "../newsletter/export-subscribers";
import { ordersIn, type OrderExport } from "../orders/export-orders";
import { OrderFilter } from "../orders/inputs";
import type { AuditLog } from "./audit-log";
import { eventsOfCustomer, namesCustomer } from "./erasure";
import type { CustomerInput } from "./inputs";

/** Exports that run at a time, each on a connection beside the pool, and that wait. */
const LIMITS = { concurrency: 2, waiting: 10, patience: 30_000 };

/** How an export has ended. */
interface ExportEnd {
  readonly rows: number;
  readonly isComplete: boolean;
}

/** Exports for clients of the service. The audit log tells of each, when it begins and how it ended. */
export class Exports {
  private readonly queue = new BoundedQueue(LIMITS);

  constructor(
    private readonly sequelize: Sequelize,
    private readonly log: AuditLog,
  ) {}

  /**
   * Calls `write`, which reads by the client and returns how the export has ended. `end` is how it has ended if `write`
   * throws. The first entry of the log is committed before `write` is called.
   *
   * @throws DomainError UNAVAILABLE if too many exports are under way or the signal was aborted; the errors of `write`
   */
  run(
    { subject, filters, signal }: ExportTerms,
    write: (client: Client) => Promise<void>,
    end: () => ExportEnd,
  ): Promise<void> {
    return this.queue.run(async () => {
      await this.log.record(subject, filters);
      try {
        await besidePool(this.sequelize, signal, write);
      } finally {
        const { rows, isComplete } = end();
        await this.log.record(subject, [
          { field: "rows", before: null, after: String(rows) },
          { field: "isComplete", before: null, after: String(isComplete) },
        ]);
      }
    }, signal);
  }
}

/** What is exported, and for how long it is wanted. */
interface ExportTerms {
  readonly subject: AuditSubject;
  /** The filters, as the audit log shows them. */
  readonly filters: readonly AuditChange[];
  readonly signal: AbortSignal;
}

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
interface CustomerExport {
  readonly orders: OrderExport["batches"];
  readonly subscription: ExportedSubscription | null;
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
