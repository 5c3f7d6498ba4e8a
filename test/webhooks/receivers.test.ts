import express, { type Express } from "express";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { createServer, type Server } from "node:net";
import { Webhook } from "standardwebhooks";
import type { Handler, ShopEvent } from "../../examples/receiver/events";
import { inOrder, type Gap } from "../../examples/receiver/in-order";
import { receiver } from "../../examples/receiver/receiver";
import { serve } from "../examples/signed";
import { dataOf } from "../graphql/client";
import { graphqlClause } from "../support/clause";
import { eventually } from "../support/eventually";
import { makeEndpoint, type EndpointInput } from "./endpoint";
import { listening } from "./receiver";
import { deliveriesOf, hurry, useDispatchingApp } from "./told";

const app = useDispatchingApp();

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a receiver of the examples as an endpoint. The secret is known only when there is an endpoint. */
async function startExample(handle: Handler, input: EndpointInput) {
  const made: { receiver?: Express } = {};
  const { url, close } = await serve((request, response) => made.receiver!(request, response));
  closing.push(close);
  const { secret, id } = await makeEndpoint(app, url, input);
  made.receiver = receiver({ secret, handle, report: () => undefined });
  return id;
}

const changePrice = (id: number, price: string) =>
  app.sql("UPDATE products SET price = $2 WHERE id = $1", [id, price]);

const allDelivered = (id: number) =>
  eventually(async () => {
    await hurry(app);
    return (await deliveriesOf(app, id)).every(({ state }) => state === "DELIVERED");
  });

graphqlClause("10.webhooks.message", "the receiver of the examples keeps a copy", async () => {
  const copy = new Map<unknown, string>();
  const gaps: Gap[] = [];
  const failed = new Set<string>();
  const apply = ({ id, data }: ShopEvent): void => {
    // The first time, each message fails.
    if (failed.size < 3 && !failed.has(id)) {
      failed.add(id);
      throw new Error("not now");
    }
    copy.set(data.id, "price" in data ? String(data.price) : "");
  };
  const missed = (gap: Gap): void => void gaps.push(gap);
  const endpoint = await startExample(inOrder({ apply, missed }), {
    types: ["product.created", "product.updated"],
  });
  const products = await Promise.all([1, 2, 3].map(() => app.make.product()));
  for (const price of ["2.00", "3.00", "4.00"]) {
    for (const { id } of products) await changePrice(id, price);
  }
  await allDelivered(endpoint);
  const [first] = await deliveriesOf(app, endpoint);
  await dataOf(app, `mutation { resendDelivery(id: "${first!.id}") { id } }`);
  await allDelivered(endpoint);
  expect(gaps).toEqual([]);
  expect(Object.fromEntries(copy)).toEqual(
    Object.fromEntries(products.map(({ id }) => [id, "4.00"])),
  );
});

test("the receiver of docs/events.md takes what the shop has signed, and nothing else", async () => {
  const page = readFileSync(path.join(__dirname, "../../docs/events.md"), "utf8");
  const [, code = ""] = /^```js\n([^]*?)^```$/m.exec(page) ?? [];
  const lines = code.split("\n").filter((line) => line !== "" && !line.startsWith("import "));
  expect(lines.length).toBeLessThanOrEqual(10);
  // The endpoint needs a port, and the receiver the secret.
  const reserved = await listening(createServer());
  const { port } = reserved;
  const { secret, id } = await makeEndpoint(app, `http://127.0.0.1:${port}/`, {
    types: ["category.created"],
  });
  const shown: unknown[][] = [];
  let server: Server | undefined;
  const framework = Object.assign(() => {
    const own = express();
    const listen = own.listen.bind(own);
    return Object.assign(own, {
      listen: (at: string) => (server = listen(Number(at), "127.0.0.1")),
    });
  }, express);
  await reserved.close();
  runInNewContext(lines.join("\n"), {
    ...{ express: framework, Webhook },
    process: { env: { WEBHOOK_SECRET: secret, PORT: String(port) } },
    console: { log: (...words: unknown[]) => shown.push(words) },
  });
  closing.push(async () => {
    server!.close();
    await once(server!, "close");
  });
  const { id: category } = await app.make.category();
  await allDelivered(id);
  const [delivery] = await deliveriesOf(app, id);
  expect(shown).toEqual([
    [delivery!.event.id, "category.created", expect.objectContaining({ id: category })],
  ]);
  const unsigned = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" });
  expect([unsigned.ok, shown.length]).toEqual([false, 1]);
});
