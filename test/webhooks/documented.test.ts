/** @check */

import { readFileSync } from "node:fs";
import path from "node:path";
import { eventTypes } from "../../src/services/events/event-types";
import { dataOf } from "../graphql/client";
import { erase } from "../record/customers";
import { idOf } from "../events/told";
import { createEndpoint, useDispatchingApp, type Message } from "./told";

const page = readFileSync(path.join(__dirname, "../../docs/events.md"), "utf8");

const app = useDispatchingApp({ newsletter: { confirmation: true } });

/** Makes a change of each kind. */
async function live(endpointId: number): Promise<void> {
  const category = await idOf(app, 'createCategory(input: { name: "Green tea" })');
  const input = `{ name: "Sencha", price: "4.20", description: "Steamed.", categoryId: ${category}, isActive: true }`;
  const product = await idOf(app, `createProduct(input: ${input})`);
  await idOf(app, `updateProduct(id: ${product}, input: { price: "4.50" })`);
  const items = `[{ productId: ${product}, quantity: 2 }]`;
  const place = `placeOrder(input: { customerEmail: "ada@example.com", items: ${items} })`;
  const order = await idOf(app, place);
  await idOf(app, `setOrderStatus(id: ${order}, status: PAID)`);
  await app.sql("UPDATE order_items SET quantity = 3 WHERE order_id = $1", [order]);
  const deleted = await idOf(app, place);
  await app.sql("DELETE FROM order_items WHERE order_id = $1", [deleted]);
  await app.sql("DELETE FROM orders WHERE id = $1", [deleted]);
  await dataOf(app, 'mutation { subscribeToNewsletter(email: "ada@example.com") }');
  await app.sql(
    "UPDATE newsletter_subscribers SET is_active = true, consented_at = now(), consent_address = '203.0.113.7'",
  );
  await app.sql("UPDATE newsletter_subscribers SET email = 'grace@example.com'");
  await dataOf(app, 'mutation { unsubscribeFromNewsletter(email: "grace@example.com") }');
  await erase(app, "nobody@example.com");
  await idOf(app, `updateCategory(id: ${category}, input: { name: "Green" })`);
  const empty = await idOf(app, 'createCategory(input: { name: "Black tea" })');
  await idOf(app, `deleteCategory(id: ${empty})`);
  const unsold = await idOf(
    app,
    `createProduct(input: { name: "Bancha", price: "3", categoryId: ${category} })`,
  );
  await idOf(app, `deleteProduct(id: ${unsold})`);
  await idOf(app, `sendTestEvent(endpointId: ${endpointId})`);
}

/** A text with one time, tombstone and signature in the place of all. */
const withoutChance = (text: string): string =>
  text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "2026-11-24T10:00:00.000Z")
    .replace(/erased-[0-9a-f]{24}@/g, `erased-${"0".repeat(24)}@`)
    .replace(/"([\d.]+)\.[\w-]{43}"/g, `"$1.${"A".repeat(43)}"`)
    .replace(/(?<="confirmToken":"1\.1\.)\d+/g, "1795514400");

/** The examples of the page, by type. */
const examples = (): Map<string, unknown> =>
  new Map(
    [...page.matchAll(/^```json\n(\{\s+"type"[^]*?)^```$/gm)].map(([, text]) => {
      const example = JSON.parse(withoutChance(JSON.stringify(JSON.parse(text!)))) as Message;
      return [example.type, example];
    }),
  );

test("docs/events.md has an example of each type of event, as the shop sends it", async () => {
  const endpoint = await createEndpoint(app, { includeLookup: true });
  await live(endpoint.id);
  const typesOf = (messages: readonly Message[]) => new Set(messages.map(({ type }) => type));
  await endpoint.until((messages) => typesOf(messages).size === eventTypes.length);
  const sent = new Map<string, unknown>();
  // Messages of several subjects come in any order.
  const numberOf = ({ id }: Message): number => Number(id.split("_")[1]);
  const inTurn = endpoint.messages.toSorted((one, other) => numberOf(one) - numberOf(other));
  for (const { type, timestamp, data } of inTurn) {
    const text = withoutChance(JSON.stringify({ type, timestamp, data }));
    if (!sent.has(type)) sent.set(type, JSON.parse(text));
  }
  expect([...sent.keys()].sort()).toEqual([...eventTypes].sort());
  expect(Object.fromEntries(examples())).toEqual(Object.fromEntries(sent));
});
