import type { Client } from "pg";
import type { Sequelize } from "sequelize-typescript";
import sql from "sql-template-tag";
import { besidePool } from "../../database/connection/beside-pool";
import { hasAddress } from "../../database/statements/has-address";
import { inSnapshot, type Snapshot } from "../../database/statements/snapshot";
import type { AuditChange, AuditSubject } from "../../models";
import { BoundedQueue } from "../../vocabulary/bounded-queue";
import { spellingsOf } from "../../vocabulary/text/email-address";
import { subscriberIn } from "../newsletter/export-subscribers";
import { ordersIn } from "../orders/export-orders";
import { OrderFilter } from "../orders/inputs";
import type { AuditLog } from "./audit-log";
import { eventsOfCustomer, namesCustomer } from "./erasure";
import type { CustomerInput } from "./inputs";

/** Exports that run at a time, each on a connection outside the pool, and that wait. */
const LIMITS = { concurrency: 2, waiting: 10, patience: 30_000 };

/** How an export has ended. */
interface ExportEnd {
  readonly rows: number;
  readonly isComplete: boolean;
}

/** Exports for clients of the service. The audit log has an entry of the beginning of each, and one of its end. */
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

/** Calls `write` with all that is stored of a customer at one moment. The lists are to be read in this order. */
export const exportCustomer = <T>(
  client: Client,
  { email }: CustomerInput,
  write: (customer: Awaited<ReturnType<typeof customerIn>>) => Promise<T>,
): Promise<T> => inSnapshot(client, async (snapshot) => write(await customerIn(snapshot, email)));

async function customerIn(snapshot: Snapshot, email: string) {
  const spellings = spellingsOf(email);
  return {
    orders: ordersIn(snapshot, Object.assign(new OrderFilter(), { customerEmail: email })),
    subscription: await subscriberIn(snapshot, email),
    // Who made a change is not the customer's data.
    auditEntries: snapshot.exported(
      sql`SELECT at, operation, subject, subject_id AS "subjectId", changes FROM audit_entries
          WHERE ${namesCustomer(spellings)} ORDER BY id`,
    ),
    /** The changes of orders and the subscription, each with its subject as it was then. */
    events: snapshot.exported(
      sql`SELECT at, type, event_data(events) AS data FROM events
          WHERE id IN (${eventsOfCustomer(spellings)}) ORDER BY id`,
    ),
    idempotencyKeys: snapshot.exported(
      sql`SELECT key, order_id AS "orderId", idempotency_keys.created_at AS "createdAt"
          FROM idempotency_keys JOIN orders ON orders.id = order_id
          WHERE ${hasAddress("customer_email", email)} ORDER BY order_id`,
    ),
  };
}
