import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { startReplica, useApp } from "../support/app";
import { graphqlClause } from "../support/clause";
import { closeReceivers } from "./receiver";
import { createEndpoint, deliveriesOf } from "./told";

const app = useApp({ webhooks: { privateAddresses: "loopback" } });
afterEach(closeReceivers);

graphqlClause("10.webhooks.lease", "what is claimed and never sent, others send", async () => {
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  const { id } = await app.make.category();
  const { deliveryQueue } = app.shop.services;
  const { deliveries } = await deliveryQueue.claim(new Map());
  expect(deliveries).toMatchObject([{ endpointId: endpoint.id, subjectId: id }]);
  const others = await startReplica(app);
  others.shop.startDispatching();
  // Others that looked would find it now.
  await app.make.category();
  await endpoint.until(({ length }) => length === 1);
  expect(endpoint.messages[0]!.data["id"]).not.toBe(id);
  const [lease] = await app.sql<{ seconds: number }>(
    "SELECT extract(epoch FROM next_attempt_at - now())::float8 AS seconds FROM webhook_deliveries WHERE subject_id = $1",
    [id],
  );
  expect(lease!.seconds).toBeGreaterThan(15);
  expect(lease!.seconds).toBeLessThanOrEqual(60);
  await app.sql("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE subject_id = $1", [
    id,
  ]);
  await endpoint.until(({ length }) => length === 2);
  expect(endpoint.messages[1]!.data["id"]).toBe(id);
  // The one that was thought dead comes back: what it knows is out of date.
  await others.close();
  const settled = { state: "WAITING" as const, pause: 1, isGone: false, isUnsendable: false };
  const attempt = { at: new Date().toISOString(), status: null, fault: "late", answer: "" };
  for (const { id, endpointId, attempts } of deliveries) {
    await deliveryQueue.settle([{ id, endpointId, attempts, attempt, ...settled }]);
  }
  const [first] = await deliveriesOf(app, endpoint.id);
  expect(first).toMatchObject({ state: "DELIVERED", attempts: 1, tries: [{ status: 204 }] });
});

graphqlClause("10.webhooks.drain", "a process that ends waits for receivers", async () => {
  await app.sql("DELETE FROM webhook_endpoints");
  const endpoint = await createEndpoint(app, { types: ["category.created"] });
  const answering: ServerResponse[] = [];
  endpoint.answer = (response) => answering.push(response);
  const ending = await startReplica(app);
  ending.shop.startDispatching();
  await app.make.category();
  await endpoint.until(({ length }) => length === 1);
  const closed = ending.close();
  await app.make.category();
  answering[0]!.writeHead(202).end("later");
  await Promise.all([closed, once(answering[0]!, "close")]);
  const deliveries = await deliveriesOf(app, endpoint.id);
  expect(deliveries).toMatchObject([
    { state: "DELIVERED", tries: [{ status: 202, fault: null, answer: "later" }] },
    { state: "WAITING", attempts: 0, tries: [] },
  ]);
  expect(endpoint.messages).toHaveLength(1);
});
