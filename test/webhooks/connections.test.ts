import { getEventListeners, getMaxListeners, once } from "node:events";
import type { ServerResponse } from "node:http";
import type { WebhookSender } from "../../src/webhooks/sender";
import { eventually } from "../support/eventually";
import { closeReceivers, newSender, startReceiver, type Receiver } from "./receiver";

const MANY = 10;

let sender: WebhookSender;
beforeEach(() => {
  sender = newSender();
});
afterEach(closeReceivers);

const message = { headers: {}, body: "{}" };
const cancelled = { status: null, fault: "cancelled", answer: "", retryAfter: null };
const accepted = { status: 200, fault: null };

/** A receiver that does not answer what comes to `/slow` until it is told to. */
async function startSlowReceiver(): Promise<Receiver & { slow: string; release: () => void }> {
  const held: ServerResponse[] = [];
  let isReleased = false;
  const receiver = await startReceiver((response, { path }) =>
    path === "/slow" && !isReleased ? held.push(response) : response.end(),
  );
  return {
    ...receiver,
    slow: `http://127.0.0.1:${receiver.port}/slow`,
    release: () => {
      isReleased = true;
      for (const response of held) response.end();
    },
  };
}

test("messages to an endpoint share connections, one after the other", async () => {
  const { url, sockets, requests } = await startReceiver();
  for (let count = 0; count < 10; count += 1) {
    expect(await sender.send({ ...message, url })).toMatchObject(accepted);
  }
  expect(requests).toHaveLength(10);
  // A message that comes at the very end of another's answer gets a second connection.
  expect(sockets.length).toBeLessThanOrEqual(2);
});

test("slow messages to a receiver do not hold up others", async () => {
  const { slow, url, requests, release } = await startSlowReceiver();
  const many = Array.from({ length: MANY }, () => sender.send({ ...message, url: slow }));
  await eventually(() => requests.length === MANY);
  expect(await sender.send({ ...message, url })).toMatchObject(accepted);
  release();
  for (const answer of await Promise.all(many)) expect(answer).toMatchObject(accepted);
});

describe("a message that is given up", () => {
  test("beforehand is not sent", async () => {
    const receiver = await startReceiver();
    const abandoned = { ...message, url: receiver.url, signal: AbortSignal.abort() };
    expect(await sender.send(abandoned)).toEqual(cancelled);
    await receiver.counted();
    expect(receiver.sockets).toHaveLength(0);
  });

  test("while its answer is awaited closes its connection", async () => {
    const { slow, requests, sockets } = await startSlowReceiver();
    const giveUp = new AbortController();
    const answer = sender.send({ ...message, url: slow, signal: giveUp.signal });
    await eventually(() => requests.length === 1);
    const closed = once(sockets[0]!, "close");
    giveUp.abort();
    expect(await answer).toEqual(cancelled);
    await closed;
  });

  test("or not leaves nothing on its signal, which many may share", async () => {
    const { url } = await startReceiver();
    const { signal } = new AbortController();
    await sender.send({ ...message, url, signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(getMaxListeners(signal)).toBe(Infinity);
  });
});

describe("a sender that is closed", () => {
  test("ends what is being sent, and closes its connections", async () => {
    const { slow, requests, sockets } = await startSlowReceiver();
    const answers = Array.from({ length: MANY }, () => sender.send({ ...message, url: slow }));
    await eventually(() => requests.length === MANY);
    await sender.close();
    expect(await Promise.all(answers)).toEqual(answers.map(() => cancelled));
    await eventually(() => sockets.every(({ destroyed }) => destroyed));
    expect(requests).toHaveLength(MANY);
  });

  test("does not wait for the look-up of a name", async () => {
    const lookup = jest.fn(() => new Promise<never>(() => undefined));
    const looking = newSender({ lookup });
    const answer = looking.send({ ...message, url: "http://receiver.example/" });
    await eventually(() => lookup.mock.calls.length === 1);
    await looking.close();
    expect(await answer).toEqual(cancelled);
  });

  test("sends nothing, and may be closed again", async () => {
    const receiver = await startReceiver();
    await sender.close();
    expect(await sender.send({ ...message, url: receiver.url })).toEqual(cancelled);
    await sender.close();
    await receiver.counted();
    expect(receiver.sockets).toHaveLength(0);
  });
});
