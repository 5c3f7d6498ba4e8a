import { Client } from "pg";
import { connect } from "../../src/database/connection/pool";
import { deleteOldDeliveries, deleteOldEvents } from "../../src/services/record/retention";
import { dataOf } from "../graphql/client";
import { useApp } from "../support/app";
import { graphqlClause } from "../support/clause";

const app = useApp();
let pool: ReturnType<typeof connect>;
beforeAll(() => {
  pool = connect({ ...app.settings.database, poolSize: 1 });
});
afterAll(() => pool.close());
beforeEach(() =>
  app.sql("DELETE FROM events; DELETE FROM webhook_deliveries; DELETE FROM webhook_endpoints"),
);

graphqlClause("10.events.kept", "events of more days are deleted, oldest first", async () => {
  await app.sql(`INSERT INTO events (type, version, at, data)
    SELECT 'test.ping', 0, now() - days * interval '1 day' + moved, '{}'
    FROM unnest(ARRAY[29, 30, 31, 30]) AS days, unnest(ARRAY[interval '1 minute', interval '-1 minute']) AS moved`);
  expect(await deleteOldEvents(pool, 30)).toBe(4);
  const [row] = await app.sql(
    "SELECT count(*)::integer AS kept, bool_and(at > now() - interval '30 days') AS young FROM events",
  );
  expect(row).toEqual({ kept: 4, young: true });
});

graphqlClause("10.webhooks.kept", "an event stays while an active endpoint waits", async () => {
  const [active, inactive] = [await app.make.webhookEndpoint(), await app.make.webhookEndpoint()];
  await app.sql("UPDATE webhook_endpoints SET is_active = false WHERE id = $1", [inactive.id]);
  await app.sql(
    `INSERT INTO events (id, type, version, at, data)
       SELECT 900000 + number, 'customer.erased', 1, now() - interval '31 days', '{}' FROM generate_series(1, 4) AS number`,
  );
  // The insertion of the events has made one of each for both.
  await app.sql("DELETE FROM webhook_deliveries");
  await app.sql(
    `INSERT INTO webhook_deliveries (endpoint_id, event_id, state, ended_at) VALUES
       ($1, 900001, 'WAITING', NULL), ($2, 900001, 'DELIVERED', now()),
       ($2, 900002, 'WAITING', NULL), ($1, 900003, 'DELIVERED', now()), ($1, 900003, 'GIVEN_UP', now())`,
    [active.id, inactive.id],
  );
  expect(await deleteOldEvents(pool, 30)).toBe(3);
  expect(await app.sql("SELECT id FROM events")).toEqual([{ id: 900001 }]);
  const left = await app.sql("SELECT event_id, state FROM webhook_deliveries ORDER BY state");
  expect(left).toEqual([
    { event_id: 900001, state: "DELIVERED" },
    { event_id: 900001, state: "WAITING" },
  ]);
  await app.sql("UPDATE webhook_deliveries SET state = 'DELIVERED', ended_at = now()");
  expect(await deleteOldEvents(pool, 30)).toBe(1);
});

graphqlClause("10.webhooks.kept", "a delivery is kept for 7 days after its end", async () => {
  const { id } = await app.make.webhookEndpoint();
  await app.sql(`INSERT INTO webhook_deliveries (endpoint_id, event_id, state, created_at, ended_at)
      SELECT ${id}, 1, state, now() - interval '90 days', now() - age FROM (VALUES
        ('WAITING', NULL), ('DELIVERED', interval '6 days 23 hours 59 minutes'),
        ('DELIVERED', interval '7 days 1 minute'), ('GIVEN_UP', interval '7 days 1 minute')) AS made (state, age)`);
  expect(await deleteOldDeliveries(pool)).toBe(2);
  const left = await app.sql("SELECT state FROM webhook_deliveries ORDER BY state");
  expect(left).toEqual([{ state: "DELIVERED" }, { state: "WAITING" }]);
});

graphqlClause("10.webhooks.deleted", "deliveries of a deleted endpoint go, even new", async () => {
  const [deleted, other] = [await app.make.webhookEndpoint(), await app.make.webhookEndpoint()];
  const placing = new Client({ connectionString: app.database.url });
  await placing.connect();
  await placing.query(
    "BEGIN; INSERT INTO orders (customer_email, total_amount) VALUES ('ada@example.com', 1)",
  );
  await dataOf(app, `mutation { deleteWebhookEndpoint(id: ${deleted.id}) { id } }`);
  await placing.query("COMMIT");
  await placing.end();
  expect(await deleteOldDeliveries(pool)).toBe(1);
  const left = await app.sql("SELECT endpoint_id FROM webhook_deliveries");
  expect(left).toEqual([{ endpoint_id: other.id }]);
  // However many there are.
  await app.sql(
    "INSERT INTO webhook_deliveries (endpoint_id, event_id) SELECT $1 + n % 2, 1 FROM generate_series(1, 2500) AS n",
    [other.id + 1],
  );
  let batches = 0;
  while ((await deleteOldDeliveries(pool)) > 0) batches += 1;
  expect(batches).toBe(3);
  expect(await app.sql("SELECT endpoint_id FROM webhook_deliveries")).toEqual(left);
});
