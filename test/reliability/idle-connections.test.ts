import { useApp } from "../support/app";
import { endConnections } from "../support/database";
import { send } from "../support/raw-http";

const app = useApp();

const readProducts = async (): Promise<number> =>
  (await send(app.url, { method: "GET", path: "/products" })).status;

const connectionsOfTheShop = (): Promise<{ pid: number }[]> =>
  app.sql(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );

// A pool without a listener for errors takes the process down with an idle connection.
test("the service keeps answering when the database ends its idle connections", async () => {
  await Promise.all(Array.from({ length: 8 }, readProducts));
  expect((await connectionsOfTheShop()).length).toBeGreaterThan(0);
  await endConnections(app.database);

  // A request may still be handed a connection whose end has not been noticed.
  const statuses: number[] = [];
  do statuses.push(await readProducts());
  while (statuses.at(-1) !== 200 && statuses.length < 20);

  expect(statuses.at(-1)).toBe(200);
  expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
});
