import { dataOf } from "../graphql/client";
import { graphqlClause } from "../support/clause";
import { eventually } from "../support/eventually";
import { createEndpoint, deliveriesOf, useDispatchingApp } from "./told";

jest.setTimeout(60_000);

const app = useDispatchingApp();

const stored = (id: number) =>
  app.sql<{ state: string; tries: { fault: string | null }[] }>(
    "SELECT state, tries FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id",
    [id],
  );

graphqlClause("10.webhooks.tries", "a delivery without its event ends", async () => {
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  const { id } = await app.make.product();
  await app.sql("UPDATE products SET price = 2 WHERE id = $1", [id]);
  await endpoint.until(({ length }) => length === 1);
  await eventually(async () => (await stored(endpoint.id))[0]?.state === "DELIVERED");
  // In one transaction, so that it is never there to be sent.
  await app.sql(`DO $$ BEGIN
      UPDATE products SET price = 3 WHERE id = ${id};
      DELETE FROM events WHERE subject = 'PRODUCT' AND subject_id = ${id} AND version = 3;
    END $$`);
  await app.sql("UPDATE products SET price = 4 WHERE id = $1", [id]);
  await endpoint.until(({ length }) => length === 2);
  expect(endpoint.messages.map(({ data }) => data["version"])).toEqual([2, 4]);
  const [, gone] = await stored(endpoint.id);
  expect(gone).toMatchObject({ state: "GIVEN_UP", tries: [{ fault: "event is gone" }] });
  const failingSince = `{ webhookEndpoint(id: ${endpoint.id}) { failingSince } }`;
  expect(await dataOf(app, failingSince)).toEqual({ webhookEndpoint: { failingSince: null } });
});

graphqlClause("10.webhooks.tries", "the last 50 tries of a delivery are kept", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  await app.make.category();
  await eventually(async () => (await stored(endpoint.id))[0]?.state === "DELIVERED");
  await app.sql(
    `UPDATE webhook_deliveries SET attempts = 60, attempts_before = 60, state = 'WAITING', ended_at = NULL,
         next_attempt_at = now(), tries = (
           SELECT jsonb_agg(jsonb_build_object('at', now(), 'status', 500 + n, 'fault', NULL, 'answer', ''))
           FROM generate_series(1, 60) AS n)
       WHERE endpoint_id = $1`,
    [endpoint.id],
  );
  await endpoint.until(({ length }) => length === 2);
  const [delivery] = await eventually(async () => {
    const delivered = await deliveriesOf(app, endpoint.id, "DELIVERED");
    return delivered.length === 1 && delivered;
  });
  expect(delivery).toMatchObject({ attempts: 61 });
  expect(delivery!.tries.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 49 }, (_, index) => 512 + index),
    204,
  ]);
});
