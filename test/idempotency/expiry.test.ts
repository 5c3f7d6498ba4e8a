import { connect } from "../../src/database/connection/pool";
import { deleteExpiredKeys } from "../../src/services/record/retention";
import { startReplica, useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { atDrift } from "../support/drift";
import { eventually } from "../support/eventually";
import { parsedLog } from "../support/log-lines";
import { doors, post, storedKeys, type OrderAnswer, type OrderBody } from "./place";

const TTL = 3600;

let body: OrderBody;
let pool: ReturnType<typeof connect>;
const app = useApp({ idempotencyKeys: { ttl: TTL } });
beforeAll(async () => {
  pool = connect({ ...app.settings.database, poolSize: 1 });
  const { id } = await app.make.product();
  body = { customerEmail: "mina@example.com", items: [{ productId: id, quantity: 1 }] };
});
beforeEach(() => app.sql("DELETE FROM idempotency_keys"));
afterAll(() => pool.close());

const deleteExpired = () => deleteExpiredKeys(pool, app.settings.idempotencyKeys);

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
    // Nor does it delete what has not expired.
    await atDrift(2 * TTL, deleteExpired);
    expect((await again()).order?.id).toBe(second.order?.id);
  },
);

/** Keys that have expired, the one with the least number the longest ago. */
async function expiredKeys(count: number): Promise<void> {
  const { id } = (await post(app, body)).body as OrderAnswer;
  await app.sql(
    `INSERT INTO idempotency_keys (key, fingerprint, order_id, created_at)
     SELECT 'old-' || n, 'x', $1, now() - make_interval(secs => $2 + 2000 - n)
     FROM generate_series(1, $3::integer) AS n`,
    [id, TTL, count],
  );
}

test("expired keys are deleted a batch at a time, the oldest first, and others stay", async () => {
  await post(app, body, { key: "young" });
  await age(TTL - 60, "young");
  await expiredKeys(1_003);
  expect(await deleteExpired()).toBe(1_000);
  expect(await storedKeys(app)).toEqual(["old-1001", "old-1002", "old-1003", "young"]);
  expect([await deleteExpired(), await deleteExpired()]).toEqual([3, 0]);
  expect(await storedKeys(app)).toEqual(["young"]);
});

test("a process deletes expired keys, a minute after its start", async () => {
  await expiredKeys(3);
  const atOnce = (wait?: number) => (wait === 60_000 ? 0 : wait);
  const real = setTimeout;
  const timers = jest
    .spyOn(global, "setTimeout")
    .mockImplementation((run: () => void, wait?: number) => real(run, atOnce(wait)));
  const other = await startReplica(app).finally(() => timers.mockRestore());
  const said = () => parsedLog(other.log).filter(({ keys }) => keys !== undefined);
  await eventually(() => said().length > 0);
  expect(said()).toMatchObject([{ keys: 3, msg: "deleted expired idempotency keys" }]);
  expect(await storedKeys(app)).toEqual([]);
  await other.close();
});

clause("4.keys.expiry", "orders outlive their keys", async () => {
  const { id } = (await post(app, body, { key: "gone" })).body as OrderAnswer;
  await age(TTL + 1, "gone");
  await deleteExpired();
  expect(await storedKeys(app)).toEqual([]);
  expect(await app.sql("SELECT id FROM orders WHERE id = $1", [id])).toEqual([{ id }]);
});

test("orders under expired keys are placed while these are deleted", async () => {
  await expiredKeys(60);
  const answers = await Promise.all([
    ...Array.from({ length: 12 }, (_, n) => post(app, body, { key: `old-${1 + n}` })),
    deleteExpired(),
  ]);
  const orders = answers.slice(0, 12) as { readonly status: number }[];
  expect(orders.map(({ status }) => status)).toEqual(orders.map(() => 201));
  await deleteExpired();
  expect(await storedKeys(app)).toHaveLength(12);
});
