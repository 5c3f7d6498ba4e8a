import type { InferAttributes } from "sequelize";
import type { Sequelize } from "sequelize-typescript";
import sql, { type Sql } from "sql-template-tag";
import { columnsOf } from "../../database/statements/columns";
import { runSql } from "../../database/statements/sql";
import { newest, readKeysetPage, type KeysetPage, type KeysetRequest } from "../../lists/keyset";
import { costOfTotal, type ListOptions, type Lists } from "../../lists/lists";
import { WebhookDelivery } from "../../models";
import type { ReadPool } from "../../reads/read-pool";
import type { DeliveryState } from "../../vocabulary/webhooks";
import { invalidInput, notFound } from "../../vocabulary/errors";
import { isStorableId } from "../../vocabulary/ids";
import { TEST_EVENT } from "./event-types";
import type { Endpoints } from "./endpoints";
import type { EventRecord, Events } from "./events";
import type { ResendInput } from "./inputs";

type StoredDelivery = InferAttributes<WebhookDelivery>;

/** An event that an endpoint gets. */
export interface DeliveryRecord extends StoredDelivery {
  readonly event: EventRecord;
}

/** Which deliveries of an endpoint a list shows. */
export interface DeliveryQuery extends ListOptions {
  readonly state?: DeliveryState | null | undefined;
}

const MOST_RESENT = 10_000;

/** The deliveries of endpoints, waiting or ended. */
export class Deliveries {
  private readonly deliveries = this.sequelize.getRepository(WebhookDelivery);

  constructor(
    private readonly sequelize: Sequelize,
    private readonly reads: ReadPool,
    private readonly lists: Lists,
    private readonly endpoints: Endpoints,
    private readonly events: Events,
  ) {}

  /** Part of an endpoint's deliveries by keyset, newest first. @throws DomainError INVALID_INPUT for a foreign cursor */
  async keysetPage(
    endpointId: number,
    request: KeysetRequest,
    { state, counted = true, signal }: DeliveryQuery = {},
  ): Promise<KeysetPage<DeliveryRecord>> {
    const where = [sql`endpoint_id = ${endpointId}`, ...(state ? [sql`state = ${state}`] : [])];
    const list = { database: this.reads.current, model: this.deliveries, where, counted, signal };
    const cost = costOfTotal(counted);
    const page = await readKeysetPage<StoredDelivery>(this.lists, newest, request, list, cost);
    const complete = await this.withEvents(page.edges.map(({ node }) => node));
    const edges = page.edges.flatMap(({ cursor, node }) => {
      const delivery = complete.get(node.id);
      return delivery ? [{ cursor, node: delivery }] : [];
    });
    return { ...page, edges };
  }

  /**
   * Sends a delivery again: at once, and outside the order if it has ended. One that waits is tried now.
   *
   * @throws DomainError NOT_FOUND
   */
  async resend(id: number): Promise<DeliveryRecord> {
    if (!isStorableId(id)) throw notFound("Delivery");
    return this.one(sql`
      UPDATE webhook_deliveries SET ${SENT_AGAIN}
      WHERE id = ${id} RETURNING ${columnsOf(this.deliveries)}`);
  }

  /**
   * Sends an endpoint all events of a time again that it has got, or was not there for: at once and outside the order.
   * Returns how many.
   *
   * @throws DomainError NOT_FOUND, or INVALID_INPUT if they are more than 10,000
   */
  async resendEvents({ endpointId, from, before, types }: ResendInput): Promise<number> {
    const endpoint = await this.endpoints.get(endpointId);
    const chosen = types?.length ? types : endpoint.types;
    const wanted = sql`
      SELECT id, subject, subject_id FROM events
      WHERE at >= ${from} AND at < ${before} AND type <> ${TEST_EVENT}
        AND (${chosen.length} = 0 OR type = ANY(${chosen}))
      ORDER BY at, id LIMIT ${MOST_RESENT + 1}
      FOR KEY SHARE -- so that none of them is deleted for its age
      `;
    const [row] = await runSql<{ found: number; sent: number }>(
      this.sequelize,
      sql`
        WITH wanted AS MATERIALIZED (${wanted}), few AS (
          SELECT * FROM wanted WHERE (SELECT count(*) FROM wanted) <= ${MOST_RESENT}
        ), again AS (
          UPDATE webhook_deliveries SET ${SENT_AGAIN} FROM few
          WHERE event_id = few.id AND endpoint_id = ${endpointId} AND state <> 'WAITING' RETURNING event_id
        ), late AS (
          INSERT INTO webhook_deliveries (endpoint_id, event_id, subject, subject_id, is_resent)
          SELECT ${endpointId}, id, subject, subject_id, true FROM few WHERE NOT EXISTS (
            SELECT FROM webhook_deliveries WHERE event_id = few.id AND endpoint_id = ${endpointId})
          ORDER BY id RETURNING event_id
        )
        SELECT (SELECT count(*) FROM wanted)::integer AS found,
          ((SELECT count(*) FROM again) + (SELECT count(*) FROM late))::integer AS sent`,
    );
    if (!row) throw new Error("A SELECT of counts returns them");
    if (row.found > MOST_RESENT) {
      const message = `more than ${MOST_RESENT} events are of this time: choose a shorter one`;
      throw invalidInput([{ message, reason: { code: "OUT_OF_RANGE", min: 0, max: MOST_RESENT } }]);
    }
    return row.sent;
  }

  /** Sends an endpoint a test event. @throws DomainError NOT_FOUND */
  async sendTest(endpointId: number): Promise<DeliveryRecord> {
    await this.endpoints.get(endpointId);
    return this.one(sql`
      WITH event AS (
        INSERT INTO events (type, version, data) VALUES (${TEST_EVENT}, 0, '{"version": 0}') RETURNING id
      )
      INSERT INTO webhook_deliveries (endpoint_id, event_id) SELECT ${endpointId}, id FROM event
      RETURNING ${columnsOf(this.deliveries)}`);
  }

  /** The delivery that a statement returns. @throws DomainError NOT_FOUND */
  private async one(statement: Sql): Promise<DeliveryRecord> {
    const rows = await runSql<StoredDelivery>(this.sequelize, statement);
    const [delivery] = (await this.withEvents(rows)).values();
    if (!delivery) throw notFound("Delivery");
    return delivery;
  }

  /** Deliveries with their events, by id; without those whose event is deleted. */
  private async withEvents(
    deliveries: readonly StoredDelivery[],
  ): Promise<Map<number, DeliveryRecord>> {
    const events = await this.events.byIds([...new Set(deliveries.map(({ eventId }) => eventId))]);
    const byId = new Map(events.map((event) => [event.id, event]));
    return new Map(
      deliveries.flatMap((delivery) => {
        const event = byId.get(delivery.eventId);
        return event ? [[delivery.id, { ...delivery, event }] as const] : [];
      }),
    );
  }
}

/** A new series of tries. What still waits stays in the order. */
const SENT_AGAIN = sql`
  is_resent = is_resent OR state <> 'WAITING',
  attempts_before = CASE WHEN state = 'WAITING' THEN attempts_before ELSE attempts END,
  state = 'WAITING', next_attempt_at = now(), ended_at = NULL`;
