import type { ServerResponse } from "node:http";
import { useApp } from "../support/app";
import { eventually } from "../support/eventually";
import { startDispatcher } from "./dispatcher";
import { makeEndpoint, sendTest } from "./endpoint";
import { closeReceivers, startReceiver } from "./receiver";

jest.setTimeout(60_000);

const app = useApp();
afterEach(closeReceivers);

// More of dispatchers is in dispatch-process.test.ts, which `npm run check` runs.
test("a dispatcher stores what a receiver answers after SIGTERM, and begins nothing more", async () => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((response) => held.push(response));
  const endpoint = await makeEndpoint(app, receiver.url);
  const dispatcher = await startDispatcher(app.database.url, {
    JWT_SECRET: app.settings.tokens.secret,
  });
  await sendTest(app, endpoint);
  await eventually(() => held.length > 0);
  dispatcher.signal("SIGTERM");
  await dispatcher.prints(/"msg":"draining"/);
  await sendTest(app, endpoint);
  held[0]!.end();
  expect(await dispatcher.ended).toEqual({ code: 0, signal: null });
  const deliveries = await app.sql(
    `SELECT state, attempts, next_attempt_at <= now() AS "isDue" FROM webhook_deliveries ORDER BY id`,
  );
  expect(deliveries).toEqual([
    { state: "DELIVERED", attempts: 1, isDue: null },
    { state: "WAITING", attempts: 0, isDue: true },
  ]);
  expect(held).toHaveLength(1);
});
