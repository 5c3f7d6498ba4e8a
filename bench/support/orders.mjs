import { randomInt, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { call } from "./http.mjs";
import { Clients } from "./load.mjs";

/** Products that can be ordered. */
export async function orderableProducts(postgres, databaseUrl) {
  const rows = await postgres.sql(databaseUrl, "SELECT id FROM products WHERE is_active");
  return rows.map(({ id }) => id);
}

/**
 * An order of 1 to 3 items. Its e-mail address holds its key and the number of its items, so that the
 * audit needs nothing but the database.
 */
export function newOrder(products) {
  const key = randomUUID();
  const first = randomInt(products.length - 3);
  const items = Array.from({ length: randomInt(1, 4) }, (_, index) => ({
    productId: products[first + index],
    quantity: randomInt(1, 5),
  }));
  return { key, json: { customerEmail: `${key}.${items.length}@torture.example`, items } };
}

/** Sends an order over REST. */
export const place = (url, { key, json }, agent) =>
  call(url, { method: "POST", path: "/orders", headers: { "idempotency-key": key }, json, agent });

/** Clients that place orders, each one after another, and repeat every one until it is acknowledged. */
export class OrderClients {
  /** Ids of acknowledged orders. */
  acknowledged = [];
  /** Every outcome: a status, or what happened to the connection. */
  outcomes = [];
  #clients;

  /**
   * `pause` is before a repetition, and `rest` after an order, in milliseconds. `then` is called with each order and
   * the answer that acknowledges it.
   */
  constructor(url, products, count, { pause = 50, rest = 0, then = undefined } = {}) {
    this.#clients = new Clients(count, async (agent) => {
      const order = newOrder(products);
      const answer = await this.repeat(201, () => place(url, order, agent), pause);
      this.acknowledged.push(JSON.parse(answer.text).id);
      await then?.(order, answer, agent);
      if (rest > 0) await setTimeout(rest);
    });
  }

  /** Lets each client finish its order, and resolves then. */
  stop() {
    return this.#clients.stop();
  }

  /** Repeats a request until it is answered so. */
  async repeat(status, send, pause = 50) {
    for (;;) {
      const answer = await send();
      this.outcomes.push(answer.status || answer.error);
      if (answer.status === status) return answer;
      await setTimeout(pause);
    }
  }
}

const AUDIT = `
  WITH placed AS (
    SELECT o.id, o.customer_email, o.total_amount,
           split_part(split_part(o.customer_email, '@', 1), '.', 2)::int AS sent_items,
           count(i.id) AS items, coalesce(sum(i.quantity * i.unit_price), 0) AS total
    FROM orders o LEFT JOIN order_items i ON i.order_id = o.id
    WHERE o.customer_email LIKE '%@torture.example' GROUP BY o.id)
  SELECT
    (SELECT count(*)::int FROM placed) AS stored,
    (SELECT count(*)::int FROM unnest($1::int[]) AS a(id)
     WHERE NOT EXISTS (SELECT FROM placed WHERE placed.id = a.id)) AS lost,
    (SELECT count(*)::int - count(DISTINCT customer_email)::int FROM placed) AS doubled,
    (SELECT count(*)::int FROM placed WHERE items <> sent_items) AS incomplete,
    (SELECT count(*)::int FROM placed WHERE total_amount <> total) AS "wrongTotals"`;

/** Compares the stored orders with the acknowledged ones, in one statement. */
export async function audit(postgres, databaseUrl, acknowledged) {
  const [row] = await postgres.sql(databaseUrl, AUDIT, [acknowledged]);
  return row;
}
