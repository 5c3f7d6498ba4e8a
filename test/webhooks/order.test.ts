import { Client } from "pg";
import { startReplica } from "../support/app";
import { graphqlClause } from "../support/clause";
import { eventually } from "../support/eventually";
import {
  brief,
  createEndpoint,
  deliveriesOf,
  hurry,
  refuse,
  useDispatchingApp,
  type Message,
} from "./told";

jest.setTimeout(60_000);

const app = useDispatchingApp({ metrics: { port: 0 } });

const setPrice = (id: number, price: string) =>
  app.sql("UPDATE products SET price = $2 WHERE id = $1", [id, price]);

/** Whether a message is about this product. */
const isOf =
  (id: number) =>
  ({ data }: Message): boolean =>
    data["id"] === id;

/** How many statements have looked for what is due. */
const claims = async (): Promise<number> => {
  const count = /duration_seconds_count\{statement="claim deliveries"\} (\d+)/;
  return Number(count.exec(await app.metrics())?.[1]);
};

graphqlClause("10.webhooks.order", "an id of two kinds is two subjects", async () => {
  let product = await app.make.product();
  let order = await app.make.order();
  while (product.id !== order.id) {
    if (product.id < order.id) product = await app.make.product();
    else order = await app.make.order();
  }
  const endpoint = await createEndpoint(app, {
    types: ["product.updated", "order.status_changed"],
  });
  endpoint.answer = (response, { type }) =>
    type === "product.updated" ? refuse(response) : response.writeHead(204).end();
  await setPrice(product.id, "2.00");
  await endpoint.until(({ length }) => length === 1);
  await app.sql("UPDATE orders SET status = 'PAID' WHERE id = $1", [order.id]);
  await endpoint.until((messages) => messages.some(({ type }) => type === "order.status_changed"));
  // The outcome is stored after the receiver's answer.
  const waiting = await eventually(async () => {
    const all = await deliveriesOf(app, endpoint.id, "WAITING");
    return all.length === 1 && all;
  });
  expect(waiting).toMatchObject([{ event: { type: "product.updated" } }]);
});

graphqlClause("10.webhooks.order", "after the tenth try, the next version is sent", async () => {
  const { id } = await app.make.product();
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  endpoint.answer = (response, { data }) =>
    data["version"] === 2 ? refuse(response) : response.writeHead(204).end();
  for (const price of ["2.00", "3.00"]) await setPrice(id, price);
  await eventually(async () => {
    await hurry(app);
    return endpoint.messages.some(({ data }) => data["version"] === 3);
  });
  const sent = endpoint.messages.map(brief);
  expect(sent.filter((each) => each === "product.updated 2")).toHaveLength(10);
  expect(sent.at(-1)).toBe("product.updated 3");
  const [first, second] = await eventually(async () => {
    const deliveries = await deliveriesOf(app, endpoint.id);
    return deliveries.every(({ state }) => state !== "WAITING") && deliveries;
  });
  expect(first).toMatchObject({ state: "GIVEN_UP", attempts: 10, nextAttemptAt: null });
  expect(first!.tries).toHaveLength(10);
  expect(second).toMatchObject({ state: "DELIVERED", attempts: 1, nextAttemptAt: null });
});

graphqlClause("10.webhooks.order", "a silent endpoint holds up no other one", async () => {
  const hanging = await createEndpoint(app, { types: ["product.updated"] });
  hanging.answer = () => undefined;
  const { id } = await app.make.product();
  const others = await Promise.all(Array.from({ length: 40 }, () => app.make.product()));
  const quick = await createEndpoint(app, { types: ["product.updated"] });
  for (const other of others) await setPrice(other.id, "2.00");
  await hanging.until(({ length }) => length > 0);
  for (let price = 2; price < 12; price += 1) await setPrice(id, `${price}.00`);
  await quick.until((messages) => messages.filter(isOf(id)).length === 10);
  expect(quick.messages.filter(isOf(id)).map(({ data }) => data["version"])).toEqual(
    Array.from({ length: 10 }, (_, index) => index + 2),
  );
});

graphqlClause("10.webhooks.order", "a refused version holds up no other subject", async () => {
  const [held, free] = [await app.make.product(), await app.make.product()];
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  endpoint.answer = (response, message) =>
    isOf(held.id)(message) ? refuse(response) : response.writeHead(204).end();
  await setPrice(held.id, "2.00");
  await endpoint.until(({ length }) => length === 1);
  await app.sql(`DO $$ BEGIN FOR version IN 3..1502 LOOP
      UPDATE products SET price = price + 1 WHERE id = ${held.id};
    END LOOP; END $$`);
  const before = await claims();
  await setPrice(free.id, "2.00");
  await endpoint.until((messages) => messages.some(isOf(free.id)));
  expect((await claims()) - before).toBeLessThan(200);
  const [row] = await app.sql<{ looks: number }>(
    "SELECT sum(attempts)::integer AS looks FROM webhook_deliveries WHERE subject_id = $1",
    [held.id],
  );
  expect(row!.looks).toBeLessThan(10);
  // All that is behind waits for the one that was refused.
  const [waiting] = await app.sql<{ due: number }>(
    `SELECT count(*)::integer AS due FROM webhook_deliveries
       WHERE subject_id = $1 AND next_attempt_at <= now()`,
    [held.id],
  );
  expect(waiting!.due).toBe(0);
});

graphqlClause("10.webhooks.order", "a version waits for the one before it", async () => {
  const replica = await startReplica(app);
  replica.shop.startDispatching();
  const products = await Promise.all(Array.from({ length: 4 }, () => app.make.product()));
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  // Some are refused once, so that their followers wait.
  const refused = new Set<string>();
  endpoint.answer = (response, { id, data }) => {
    if (Number(data["version"]) % 7 !== 0 || refused.has(id)) return response.writeHead(204).end();
    refused.add(id);
    return refuse(response);
  };
  await Promise.all(
    products.flatMap(({ id }) =>
      Array.from({ length: 20 }, (_, index) => setPrice(id, `${index + 20}.00`)),
    ),
  );
  await eventually(async () => {
    await hurry(app);
    const waiting = await app.sql("SELECT FROM webhook_deliveries WHERE state = 'WAITING'");
    return waiting.length === 0;
  });
  await replica.close();
  for (const { id } of products) {
    const versions = endpoint.messages.filter(isOf(id)).map(({ data }) => Number(data["version"]));
    expect([...new Set(versions)]).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(versions).toHaveLength(23);
  }
});

graphqlClause("10.webhooks.order", "an open transaction delays its subjects alone", async () => {
  const [held, free] = [await app.make.product(), await app.make.product()];
  const endpoint = await createEndpoint(app, { types: ["product.updated"] });
  const holder = new Client({ connectionString: app.database.url });
  await holder.connect();
  await holder.query(`BEGIN; UPDATE products SET price = 2 WHERE id = ${held.id}`);
  for (const price of ["2.00", "3.00"]) await setPrice(free.id, price);
  await endpoint.until((messages) => messages.filter(isOf(free.id)).length === 2);
  expect(endpoint.messages.some(isOf(held.id))).toBe(false);
  await holder.query("COMMIT");
  await endpoint.until((messages) => messages.some(isOf(held.id)));
  await holder.query(`BEGIN; UPDATE products SET price = 3 WHERE id = ${held.id}; ROLLBACK`);
  await holder.end();
  await setPrice(held.id, "4.00");
  await endpoint.until((messages) => messages.filter(isOf(held.id)).length === 2);
  expect(endpoint.messages.filter(isOf(held.id)).map(brief)).toEqual([
    "product.updated 2",
    "product.updated 3",
  ]);
});
