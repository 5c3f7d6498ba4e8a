import type { Client } from "pg";
import { inClientTransaction } from "../database/connection/with-client";
import type { Batch } from "./bulk";
import { demoCatalogue } from "./catalogue";
import { createdAt } from "./created-at";
import productWords from "./texts/product-words.json";

/**
 * Creates the categories of the demonstration if there are none. Returns the number for the next slug: one more
 * than the greatest number at the end of a product's slug.
 */
export async function prepareProducts(client: Client): Promise<number> {
  await inClientTransaction(client, () =>
    client.query(
      `INSERT INTO categories (name, slug)
       SELECT * FROM unnest($1::text[], $2::text[]) WHERE NOT EXISTS (SELECT FROM categories)`,
      [demoCatalogue.map(({ name }) => name), demoCatalogue.map(({ slug }) => slug)],
    ),
  );
  const { rows } = await client.query<{ number: number }>(
    `SELECT coalesce(max(substring(slug FROM '-([0-9]{1,9})$')::integer), 0) + 1 AS number
     FROM products`,
  );
  return rows[0]?.number ?? 1;
}

/**
 * Inserts a batch of products. Their names combine so many words that a search finds only a few of many products.
 * The numbers at the end of their slugs count from `firstNumber`.
 */
export async function insertProducts(
  client: Client,
  batch: Batch,
  firstNumber: number,
): Promise<void> {
  const { moods, origins, kinds, forms, notes, closings } = productWords;
  await client.query(
    `WITH category AS MATERIALIZED (SELECT array_agg(id ORDER BY id) AS ids FROM categories),
     words AS (
       SELECT slot, n,
         ($6::text[])[1 + pg_temp.pick(n, 1, array_length($6::text[], 1))] AS mood,
         ($7::text[])[1 + pg_temp.pick(n, 2, array_length($7::text[], 1))] AS origin,
         ($8::text[])[1 + pg_temp.pick(n, 3, array_length($8::text[], 1))] AS kind,
         ($9::text[])[1 + pg_temp.pick(n, 4, array_length($9::text[], 1))] AS form,
         ($10::text[])[1 + pg_temp.pick(n, 5, array_length($10::text[], 1))] AS note,
         ($10::text[])[1 + pg_temp.pick(n, 6, array_length($10::text[], 1))] AS other_note,
         ($11::text[])[1 + pg_temp.pick(n, 7, array_length($11::text[], 1))] AS closing
       FROM (
         SELECT slot, slot - 1 + $5::bigint AS n FROM generate_series($1::bigint, $2) AS slot
       ) AS numbered
     )
     INSERT INTO products
       (name, slug, description, price, is_active, category_id, created_at, updated_at)
     SELECT concat_ws(' ', mood, origin, kind, form),
       concat_ws('-', lower(translate(concat_ws('-', mood, kind), ' ', '-')), n),
       concat(kind, ' from ', origin, ' with notes of ', note,
         CASE WHEN other_note <> note THEN ' and ' || other_note END, '. ', closing),
       (350 + pg_temp.pick(n, 8, 11650)) / 100.0,
       pg_temp.pick(n, 9, 20) > 0,
       ids[1 + pg_temp.pick(n, 10, array_length(ids, 1))],
       created_at, created_at
     FROM words, category, LATERAL (SELECT ${createdAt("n")} AS created_at) AS times
     ORDER BY slot`,
    [
      ...[batch.first, batch.last, batch.total, batch.latest, firstNumber],
      ...[moods, origins, kinds, forms, notes, closings],
    ],
  );
}
