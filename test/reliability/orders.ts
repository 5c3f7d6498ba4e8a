import { randomUUID } from "node:crypto";
import type { Agent } from "node:http";
import { query } from "../support/database";
import { eventually } from "../support/eventually";
import { sendJson, type Answer } from "../support/raw-http";

/** An order of one item under a key. */
export interface KeyedOrder {
  readonly key: string;
  readonly body: string;
}

export const newOrder = (productId: number): KeyedOrder => {
  const key = randomUUID();
  const items = [{ productId, quantity: 2 }];
  return { key, body: JSON.stringify({ customerEmail: `${key}@example.com`, items }) };
};

/** Sends an order; rejects where the connection breaks. */
export const place = (url: string, { key, body }: KeyedOrder, agent?: Agent): Promise<Answer> =>
  sendJson(url, "POST", "/orders", body, { "idempotency-key": key }, agent);

/** Sends an order until it is acknowledged, whatever happens to the service meanwhile; its id. */
export async function placeUntilAcknowledged(url: string, order: KeyedOrder): Promise<number> {
  const { body } = await eventually(async () => {
    const answer = await place(url, order).catch(() => undefined);
    if (answer && ![201, 503].includes(answer.status)) {
      throw new Error(`An order was answered ${answer.status}`);
    }
    return answer?.status === 201 && answer;
  });
  return (body as { id: number }).id;
}

/** What must be zero of all that is stored: orders that were acknowledged and are gone, and so on. */
export async function auditOrders(databaseUrl: string, acknowledged: readonly number[]) {
  const [row] = await query(
    databaseUrl,
    `WITH placed AS (
       SELECT o.id, o.customer_email, o.total_amount, count(i.id) AS items,
              coalesce(sum(i.quantity * i.unit_price), 0) AS total
       FROM orders o LEFT JOIN order_items i ON i.order_id = o.id GROUP BY o.id)
     SELECT
       (SELECT count(*)::int FROM unnest($1::int[]) AS a(id)
        WHERE NOT EXISTS (SELECT FROM placed WHERE placed.id = a.id)) AS lost,
       (SELECT count(*)::int - count(DISTINCT customer_email)::int FROM placed) AS doubled,
       (SELECT count(*)::int FROM placed WHERE items <> 1) AS incomplete,
       (SELECT count(*)::int FROM placed WHERE total_amount <> total) AS "wrongTotals"`,
    [acknowledged],
  );
  return row;
}

/** An audit without a finding. */
export const NOTHING_WRONG = { lost: 0, doubled: 0, incomplete: 0, wrongTotals: 0 };
