import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { atDrift } from "../support/drift";
import { doors, post, storedKeys, type OrderAnswer, type OrderBody } from "./place";

const TTL = 3600;

let body: OrderBody;
const app = useApp({ idempotencyKeys: { ttl: TTL } });
beforeAll(async () => {
  const { id } = await app.make.product();
  body = { customerEmail: "mina@example.com", items: [{ productId: id, quantity: 1 }] };
});
beforeEach(() => app.sql("DELETE FROM idempotency_keys"));

const age = (seconds: number, key: string) =>
  app.sql(
    "UPDATE idempotency_keys SET created_at = now() - make_interval(secs => $1) WHERE key = $2",
    [seconds, key],
  );

clauseEach(
  "4.keys.expiry",
  "an expired key is free for any order",
  { doors: ["REST", "GraphQL"] },
  doors,
  async (place) => {
    const first = await place(app, body, { key: "again" });
    await age(TTL + 1, "again");
    const other = { ...body, customerEmail: "nils@example.com" };
    const second = await place(app, other, { key: "again" });

    expect(second.status).toBe(201);
    expect(second.order?.id).not.toBe(first.order?.id);
    // From now on it stands for the second order.
    expect((await place(app, other, { key: "again" })).order?.id).toBe(second.order?.id);
    expect((await place(app, body, { key: "again" })).status).toBe(422);
    expect(await storedKeys(app)).toEqual(["again"]);
  },
);

clause("4.keys.expiry", "a key is held as long as the setting says", async () => {
  const first = await post(app, body, { key: "held" });
  await age(TTL - 60, "held");
  expect((await post(app, body, { key: "held" })).text).toBe(first.text);
});

clauseEach(
  "4.keys.expiry",
  "a replica whose clock is wrong holds a key as long as the others do",
  { doors: ["REST", "GraphQL"] },
  doors,
  async (place) => {
    const again = () => place(app, body, { key: "drift" });
    const first = await atDrift(-2 * TTL, again);
    expect((await again()).order?.id).toBe(first.order?.id);
    expect((await atDrift(2 * TTL, again)).order?.id).toBe(first.order?.id);

    await age(TTL + 1, "drift");
    const second = await atDrift(-2 * TTL, again);
    expect(second.order?.id).not.toBe(first.order?.id);
    expect((await again()).order?.id).toBe(second.order?.id);

    // Nor does it clear away what is not expired.
    await atDrift(2 * TTL, () => newKeys("ahead"));
    expect((await again()).order?.id).toBe(second.order?.id);
  },
);

/** Keys that have expired, the one with the least number the longest ago. */
async function expiredKeys(count: number): Promise<void> {
  const { id } = (await post(app, body)).body as OrderAnswer;
  await app.sql(
    `INSERT INTO idempotency_keys (key, fingerprint, order_id, created_at)
     SELECT 'old-' || to_char(n, 'FM000'), 'x', $1, now() - make_interval(secs => $2 + 1000 - n)
     FROM generate_series(1, $3::integer) AS n`,
    [id, TTL, count],
  );
}

/** Places orders under so many new keys, as many as make the service clear expired keys away once. */
async function newKeys(name: string, count = 10): Promise<string[]> {
  const keys = Array.from({ length: count }, (_, n) => `${name}-${n}`);
  for (const key of keys) expect((await post(app, body, { key })).status).toBe(201);
  return keys;
}

test("expired keys are cleared away a few at a time, the oldest first", async () => {
  await expiredKeys(250);
  const first = await newKeys("first");
  expect(await storedKeys(app)).toEqual([...olds(101, 250), ...first]);
  const second = await newKeys("second");
  expect(await storedKeys(app)).toEqual([...olds(201, 250), ...first, ...second]);
  const third = await newKeys("third");
  expect(await storedKeys(app)).toEqual([...first, ...second, ...third]);
});

const olds = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `old-${String(from + n).padStart(3, "0")}`);

test("orders without a key, repeated and refused ones clear nothing away", async () => {
  await post(app, body, { key: "known" });
  await expiredKeys(3);
  for (let n = 0; n < 10; n += 1) {
    await post(app, body);
    await post(app, body, { key: "known" });
    await post(app, { ...body, items: [] }, { key: "free" });
  }
  expect(await storedKeys(app)).toHaveLength(4);
});

test("an order is placed and answered as such even if no keys can be cleared away", async () => {
  await expiredKeys(3);
  await app.sql(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
    CREATE TRIGGER refuse BEFORE DELETE ON idempotency_keys EXECUTE FUNCTION refuse()`);
  const keys = await newKeys("placed").finally(() => app.sql("DROP FUNCTION refuse CASCADE"));
  expect(await storedKeys(app)).toEqual([...olds(1, 3), ...keys]);
  expect((await post(app, body, { key: "placed-9" })).headers["idempotent-replayed"]).toBe("true");
});

clause("4.keys.expiry", "orders outlive their keys", async () => {
  const { id } = (await post(app, body, { key: "gone" })).body as OrderAnswer;
  await age(TTL + 1, "gone");
  const next = await newKeys("next");
  expect(await storedKeys(app)).toEqual(next);
  expect(await app.sql("SELECT id FROM orders WHERE id = $1", [id])).toEqual([{ id }]);
});

test("parallel orders clear expired keys away without getting in each other's way", async () => {
  await expiredKeys(60);
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => post(app, body, { key: `crowd-${n}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  const keys = await storedKeys(app);
  expect(keys.filter((key) => key.startsWith("crowd-"))).toHaveLength(12);
});
