import { useApp } from "../support/app";
import { eventsOf } from "./told";

const app = useApp();

test.each([
  "categories",
  "products",
  "orders",
  "newsletter_subscribers",
  "admins",
  "webhook_endpoints",
])("SQL can't change the ids of %s, by which all that is kept of them is found", async (table) => {
  await app.make.product();
  await app.make.order();
  await app.make.subscriber();
  await app.make.webhookEndpoint();
  const before = await eventsOf(app);
  const rows = await app.sql(`SELECT id FROM ${table}`);
  await expect(app.sql(`UPDATE ${table} SET id = id + 1000000`)).rejects.toThrow(
    `the id of a row of ${table} can not be changed`,
  );
  expect(await app.sql(`UPDATE ${table} SET id = id RETURNING id`)).toHaveLength(rows.length);
  expect(await eventsOf(app)).toEqual(before);
});
