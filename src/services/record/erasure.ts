import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import sql, { type Sql } from "sql-template-tag";
import type { WriteContext } from "../../vocabulary/current-work";
import { conflict, unavailable } from "../../vocabulary/errors";
import { ERASED_DOMAIN } from "../../vocabulary/text/email-address";
import { customerLocks, tryCustomerLock } from "../orders/customer-lock";

/** What an erasure has changed. */
export interface ErasedCustomer {
  /** What replaces the address. */
  readonly tombstone: string;
  readonly orders: number;
  readonly subscriptions: number;
  readonly events: number;
  readonly auditEntries: number;
}

type Counts = Omit<ErasedCustomer, "tombstone">;

/** What one search for the address has found and replaced. */
interface Replaced extends Counts {
  /** Whether this has ended an active subscription. */
  readonly endsSubscription: boolean;
}

/** Runs a statement in the transaction of the erasure. */
export type Run = <Row extends object>(statement: Sql) => Promise<Row[]>;

/** Rows that one statement changes: few enough for the time-out of a statement. */
const BATCH_SIZE = 500;

/** Milliseconds that an erasure waits for orders of the address that are under way. */
const PATIENCE = 10_000;

/** Milliseconds between two tries to get the lock of the address. */
const PAUSE = 10;

/** An address that stands for an erased customer. */
const newTombstone = (): string => `erased-${randomBytes(12).toString("hex")}@${ERASED_DOMAIN}`;

/** The condition that an address is no tombstone. */
export const isNoTombstone = (address: Sql): Sql =>
  sql`${address} !~ '^erased-[0-9a-f]{24}@erased\\.invalid$'`;

/** The condition that an entry of the audit log has one of these addresses, in lower case. An index serves it. */
export const namesCustomer = (addresses: readonly string[]): Sql =>
  sql`subject IN ('ORDER', 'NEWSLETTER_SUBSCRIBER') AND customers_in(changes) && ${addresses}::text[]`;

/** The condition that a filter of an export has one of these addresses, or searches for a part of one. */
const isPartOfCustomer = (addresses: readonly string[]): Sql =>
  sql`EXISTS (
    SELECT FROM unnest(${addresses}::text[]) AS address, lower((change->>'after') COLLATE "C") AS given
    WHERE strpos(given, address) > 0 OR (change->>'field' = 'customerSearch' AND strpos(address, given) > 0))`;

/** The condition that the copy of the subject in an event has one of these addresses, in lower case. An index serves it. */
const copiesCustomer = (addresses: readonly string[]): Sql =>
  sql`data IS NOT NULL AND customer_in(data) = ANY(${addresses})`;

/** The ids of the events about a customer: those with a copy of the address, and those whose order has it. */
export const eventsOfCustomer = (addresses: readonly string[]): Sql =>
  sql`SELECT id FROM events WHERE ${copiesCustomer(addresses)}
      UNION ALL
      SELECT events.id FROM orders JOIN events ON subject_id = orders.id AND subject = 'ORDER' AND data IS NULL
      WHERE lower(customer_email) = ANY(${addresses})`;

/**
 * The transaction that erases a customer. Accounts of administrators are no customers': an account stays, and so do the
 * entries that tell who made a change.
 */
export class Erasure {
  private readonly tombstone = newTombstone();

  /** `addresses` are the spellings of one address, in lower case. */
  constructor(
    private readonly run: Run,
    private readonly addresses: readonly string[],
    private readonly writeContext: WriteContext,
  ) {}

  /**
   * Begins it. The changes that follow leave no entries of their own, as these would name the address; entries that do
   * may be changed.
   *
   * @throws DomainError CONFLICT if the role of the database is not the one that owns the audit log
   */
  async begin(): Promise<void> {
    const silent = JSON.stringify({ ...this.writeContext, actor: undefined });
    const [{ role, owner }] = (await this.run<{ role: string; owner: string }>(
      sql`SELECT set_config('tea_shop.origin', ${silent}, true), set_config('tea_shop.audit', 'erasure', true),
            session_user::text AS role, pg_get_userbyid(relowner)::text AS owner
          FROM pg_class WHERE oid = 'audit_entries'::regclass`,
    )) as [{ role: string; owner: string }];
    if (role === owner) return;
    throw conflict(
      `Only the role ${owner} may erase customers, and the service logs in as ${role}`,
      {
        code: "INVALID",
      },
    );
  }

  /**
   * Replaces the address by the tombstone, wherever it is committed. Call it before and after
   * {@link lockOutOrders}: the second call replaces what came between, so that others wait for it only shortly.
   */
  async replace(): Promise<Replaced> {
    const { run, addresses, tombstone } = this;
    const events = await run(eventsOfCustomer(addresses));
    const orders = await this.inBatches(
      sql`SELECT id FROM orders WHERE lower(customer_email) = ANY(${addresses}) ORDER BY id`,
      // An index of addresses would find all orders of the customer for each batch, so it must not serve this.
      (ids) => sql`UPDATE orders SET customer_email = ${tombstone}
                   WHERE id = ANY(${ids}) AND lower(customer_email || '') = ANY(${addresses}) RETURNING id`,
    );
    const subscriptions = await run<{ wasActive: boolean }>(
      sql`WITH former AS MATERIALIZED (
            SELECT id, is_active FROM newsletter_subscribers WHERE lower(email) = ANY(${addresses}) FOR UPDATE)
          UPDATE newsletter_subscribers AS erased SET email = ${tombstone}, is_active = false,
            requested_at = NULL, requested_version = NULL, consented_at = NULL, consent_address = NULL
          FROM former WHERE erased.id = former.id RETURNING former.is_active AS "wasActive"`,
    );
    const auditEntries = await this.inBatches(
      sql`SELECT id FROM audit_entries WHERE ${namesCustomer(addresses)} ORDER BY id`,
      (ids) => sql`UPDATE audit_entries SET changes = (
                     SELECT jsonb_agg(change
                       || CASE WHEN lower((change->>'before') COLLATE "C") = ANY(${addresses})
                          THEN jsonb_build_object('before', ${tombstone}::text) ELSE '{}' END
                       || CASE WHEN lower((change->>'after') COLLATE "C") = ANY(${addresses})
                          THEN jsonb_build_object('after', ${tombstone}::text) ELSE '{}' END ORDER BY place)
                     FROM jsonb_array_elements(changes) WITH ORDINALITY AS listed (change, place))
                   WHERE id = ANY(${ids}) RETURNING id`,
    );
    await this.inBatches(
      sql`SELECT id FROM audit_entries WHERE operation = 'export' AND EXISTS (
            SELECT FROM jsonb_array_elements(changes) AS change WHERE ${isPartOfCustomer(addresses)}) ORDER BY id`,
      (ids) => sql`UPDATE audit_entries SET changes = (
                     SELECT jsonb_agg(change || CASE WHEN ${isPartOfCustomer(addresses)}
                       THEN jsonb_build_object('after', ${tombstone}::text) ELSE '{}' END ORDER BY place)
                     FROM jsonb_array_elements(changes) WITH ORDINALITY AS listed (change, place))
                   WHERE id = ANY(${ids}) RETURNING id`,
    );
    await this.inBatches(
      sql`SELECT id FROM events WHERE ${copiesCustomer(addresses)} ORDER BY id`,
      (ids) => sql`UPDATE events SET data = data || jsonb_build_object(
                     CASE WHEN data ? 'email' THEN 'email' ELSE 'customerEmail' END, ${tombstone}::text)
                     || CASE WHEN data ? 'consentedAt' THEN '{"consentedAt": null, "consentAddress": null}'
                        ELSE '{}' END::jsonb
                   WHERE id = ANY(${ids}) RETURNING id`,
    );
    await this.forgetAnswers();
    return {
      orders,
      subscriptions: subscriptions.length,
      endsSubscription: subscriptions.some(({ wasActive }) => wasActive),
      events: events.length,
      auditEntries,
    };
  }

  /**
   * Waits until no order of the address is under way, and from then on holds new ones back until the transaction
   * ends. Orders do not queue behind it while it waits.
   *
   * @throws DomainError UNAVAILABLE if that takes too long
   */
  async lockOutOrders(): Promise<void> {
    const end = performance.now() + PATIENCE;
    for (const { number } of await this.run<{ number: number }>(customerLocks(this.addresses))) {
      for (;;) {
        const [lock] = await this.run<{ locked: boolean }>(tryCustomerLock(number));
        if (lock?.locked === true) break;
        if (performance.now() > end) throw unavailable("database");
        await setTimeout(PAUSE);
      }
    }
  }

  /** Whether the newest of the erased orders was placed at this time or later. */
  async hasOrderSince(since: Date): Promise<boolean> {
    const newer = await this.run(
      sql`SELECT FROM orders WHERE lower(customer_email) = ${this.tombstone} AND created_at >= ${since} LIMIT 1`,
    );
    return newer.length > 0;
  }

  /** Deletes the address by which orders are found, and leaves the one entry of the audit log, and an event. */
  async end(counts: readonly Counts[]): Promise<ErasedCustomer> {
    const { addresses, tombstone } = this;
    const { actor, door, operation, address: client, requestId, source } = this.writeContext;
    await this.run(sql`DELETE FROM customer_addresses WHERE address = ANY(${addresses})`);
    const changes = JSON.stringify([{ field: "email", before: null, after: tombstone }]);
    await this.run(
      sql`INSERT INTO audit_entries (actor, door, operation, subject, changes, address, request_id, source)
          VALUES (${actor ?? null}, ${door}, ${operation}, 'CUSTOMER', ${changes}::jsonb,
            ${client ?? null}, ${requestId ?? null}, ${source ?? null})`,
    );
    await this.run(
      sql`INSERT INTO events (type, subject, version, data, request_id)
          VALUES ('customer.erased', 'CUSTOMER', 1, jsonb_build_object('tombstone', ${tombstone}::text, 'version', 1),
            ${requestId ?? null})`,
    );
    const sum = (name: keyof Counts): number =>
      counts.reduce((total, each) => total + each[name], 0);
    return {
      tombstone,
      orders: sum("orders"),
      subscriptions: sum("subscriptions"),
      events: sum("events"),
      auditEntries: sum("auditEntries"),
    };
  }

  /**
   * Empties the answers of receivers to webhooks about the customer, since an answer may have the address. A delivery
   * that is being sent counts as not tried: it is sent again, with the tombstone. Rows that
   * this transaction has written have nothing to forget.
   */
  private async forgetAnswers(): Promise<void> {
    await this.inBatches(
      sql`SELECT webhook_deliveries.id FROM (
            SELECT subject, subject_id FROM events WHERE ${copiesCustomer([this.tombstone])}
            UNION SELECT 'ORDER', id FROM orders WHERE lower(customer_email) = ${this.tombstone}
          ) AS erased
          JOIN events ON events.subject_id = erased.subject_id AND events.subject = erased.subject
          JOIN webhook_deliveries ON event_id = events.id
          WHERE webhook_deliveries.xmin <> pg_current_xact_id()::xid ORDER BY webhook_deliveries.id`,
      (ids) => sql`UPDATE webhook_deliveries SET
                     tries = (SELECT coalesce(jsonb_agg(tried || '{"answer": ""}' ORDER BY place), '[]')
                              FROM jsonb_array_elements(tries) WITH ORDINALITY AS listed (tried, place)),
                     attempts = attempts + (state = 'WAITING')::integer,
                     attempts_before = attempts_before + (state = 'WAITING')::integer
                   WHERE id = ANY(${ids}) RETURNING id`,
    );
  }

  /** Changes the rows that `select` finds, and returns how many have been changed. */
  private async inBatches(select: Sql, change: (ids: readonly number[]) => Sql): Promise<number> {
    const ids = (await this.run<{ id: number }>(select)).map(({ id }) => id);
    let changed = 0;
    for (let from = 0; from < ids.length; from += BATCH_SIZE) {
      changed += (await this.run(change(ids.slice(from, from + BATCH_SIZE)))).length;
    }
    return changed;
  }
}
