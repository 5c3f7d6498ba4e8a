import type { ServerResponse } from "node:http";
import { WebhookSender } from "../../src/webhooks/sender";
import { eventually } from "../support/eventually";
import { closeReceivers, startReceiver } from "./receiver";

/** The most connections to an endpoint. */
const CONNECTIONS = 4;

afterEach(closeReceivers);

test("a receiver that answers slowly after a pause gets no more connections than others", async () => {
  const held: ServerResponse[] = [];
  let isSlow = false;
  const { url, sockets, requests } = await startReceiver((response) =>
    isSlow ? held.push(response) : response.end(),
  );
  const other = await startReceiver();
  const sender = new WebhookSender({ privateAddresses: "loopback" }, { idle: 50 });
  const send = (endpointId: number, to: string) =>
    sender.send({ endpointId, url: to, headers: {}, body: "{}" });
  const several = () => Array.from({ length: CONNECTIONS }, () => send(1, url));

  await send(1, url);
  isSlow = true;
  const sent = several();
  await eventually(() => held.length === CONNECTIONS);
  // The connections of an endpoint that has been idle for as long, and longer, are closed.
  await send(2, other.url);
  await eventually(() => other.sockets[0]?.destroyed);
  sent.push(...several());
  await send(2, other.url); // as long as it takes for further connections
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  isSlow = false;
  for (const response of held) response.end();
  await Promise.all(sent);
  await sender.close();

  expect(open).toBe(CONNECTIONS);
  expect(requests).toHaveLength(1 + 2 * CONNECTIONS);
});
