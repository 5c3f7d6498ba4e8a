/** @check */

import { startApp, type TestApp } from "../support/app";
import { eventually } from "../support/eventually";
import { startDispatcher } from "../webhooks/dispatcher";
import { makeEndpoint, sendTest } from "../webhooks/endpoint";
import { closeReceivers, startReceiver } from "../webhooks/receiver";
import { startOwnServer, type OwnServer } from "./own-server";

jest.setTimeout(60_000);

let server: OwnServer;
let app: TestApp;
beforeAll(async () => {
  server = await startOwnServer();
  app = await startApp({ database: { url: server.url } });
});
afterAll(async () => {
  await closeReceivers();
  await app.close();
  await server.remove();
});

const states = async (): Promise<string[]> => {
  const rows = await app.sql<{ state: string }>("SELECT state FROM webhook_deliveries ORDER BY id");
  return rows.map(({ state }) => state);
};

test("a dispatcher outlives its database, and goes on when that is back, and ends without it", async () => {
  const receiver = await startReceiver();
  const endpoint = await makeEndpoint(app, receiver.url);
  const dispatcher = await startDispatcher(server.url, {
    JWT_SECRET: app.settings.tokens.secret,
  });
  await sendTest(app, endpoint);
  await eventually(async () => (await states()).every((state) => state === "DELIVERED"));
  await server.crash();
  await dispatcher.prints(/"msg":"the database is away"/);
  await server.restart();
  await dispatcher.prints(/"msg":"the database is back"/);
  await eventually(() =>
    sendTest(app, endpoint).then(
      () => true,
      () => false,
    ),
  );
  await eventually(async () => (await states()).join() === "DELIVERED,DELIVERED");
  expect(dispatcher.printed()).not.toContain('"level":"error"');
  // It also ends in order while the database is away.
  await server.crash();
  await dispatcher.prints(/"msg":"the database is away"/, 2);
  dispatcher.signal("SIGTERM");
  expect(await dispatcher.ended).toEqual({ code: 0, signal: null });
  await server.restart();
});
