import { getEventListeners, getMaxListeners, once } from "node:events";
import type { ServerResponse } from "node:http";
import { Agent } from "undici";
import { EndpointAgents } from "../../src/webhooks/endpoint-agents";
import { WebhookSender } from "../../src/webhooks/sender";
import { eventually } from "../support/eventually";
import { closeReceivers, startReceiver, type Receiver } from "./receiver";

const CONNECTIONS = 4;

let sender: WebhookSender;
beforeEach(() => {
  sender = new WebhookSender({ privateAddresses: "loopback" });
});
afterEach(async () => {
  await sender.close();
  await closeReceivers();
});

const message = { endpointId: 1, headers: {}, body: "{}" };
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

test("endpoints share no connection, even with the same URL", async () => {
  const { url, sockets } = await startReceiver();

  await sender.send({ ...message, url });
  await sender.send({ ...message, endpointId: 2, url });

  expect(sockets).toHaveLength(2);
});

test("an endpoint with another URL gets other connections, and the old ones are closed", async () => {
  const { url, sockets } = await startReceiver();

  await sender.send({ ...message, url });
  const closed = once(sockets[0]!, "close");
  await sender.send({ ...message, url: `${url}&page=2` });

  await closed;
  expect(sockets).toHaveLength(2);
});

test("a message under way to the old URL of an endpoint arrives", async () => {
  const { slow, url, requests, release } = await startSlowReceiver();

  const first = sender.send({ ...message, url: slow });
  await eventually(() => requests.length === 1);
  expect(await sender.send({ ...message, url })).toMatchObject(accepted);
  release();

  expect(await first).toMatchObject(accepted);
});

test("an endpoint has few connections, and a slow one does not hold up others", async () => {
  const { slow, url, requests, sockets, release } = await startSlowReceiver();

  const many = Array.from({ length: 10 }, () => sender.send({ ...message, url: slow }));
  await eventually(() => requests.length === CONNECTIONS);
  expect(await sender.send({ ...message, endpointId: 2, url })).toMatchObject(accepted);
  expect(requests).toHaveLength(CONNECTIONS + 1);
  release();

  for (const answer of await Promise.all(many)) expect(answer).toMatchObject(accepted);
  expect(sockets).toHaveLength(CONNECTIONS + 1);
});

describe("a message that is given up", () => {
  test("beforehand is not sent", async () => {
    const receiver = await startReceiver();

    const answer = await sender.send({
      ...message,
      url: receiver.url,
      signal: AbortSignal.abort(),
    });

    expect(answer).toEqual(cancelled);
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

  test("while it waits for a connection is never sent", async () => {
    const { slow, requests, release } = await startSlowReceiver();
    const giveUp = new AbortController();
    const before = Array.from({ length: CONNECTIONS }, () =>
      sender.send({ ...message, url: slow }),
    );
    await eventually(() => requests.length === CONNECTIONS);

    const waiting = sender.send({ ...message, url: slow, body: "waits", signal: giveUp.signal });
    giveUp.abort();
    expect(await waiting).toEqual(cancelled);
    release();
    await Promise.all(before);
    await sender.send({ ...message, url: slow, body: "last" });

    expect(requests.map(({ body }) => body)).toEqual([...before.map(() => "{}"), "last"]);
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
    const answers = Array.from({ length: 6 }, () => sender.send({ ...message, url: slow }));
    await eventually(() => requests.length === CONNECTIONS);

    await sender.close();

    expect(await Promise.all(answers)).toEqual(answers.map(() => cancelled));
    await eventually(() => sockets.every(({ destroyed }) => destroyed));
    expect(requests).toHaveLength(CONNECTIONS);
  });

  test("does not wait for the look-up of a name", async () => {
    const lookup = jest.fn(() => new Promise<never>(() => undefined));
    const looking = new WebhookSender({ privateAddresses: "loopback" }, { lookup });
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

test("an endpoint that answers slowly after a pause gets no more connections than others", async () => {
  const idle = new WebhookSender({ privateAddresses: "loopback" }, { idle: 50 });
  const held: ServerResponse[] = [];
  let isSlow = false;
  const { url, sockets, requests } = await startReceiver((response) =>
    isSlow ? held.push(response) : response.end(),
  );
  const other = await startReceiver();
  const several = () => Array.from({ length: CONNECTIONS }, () => idle.send({ ...message, url }));

  await idle.send({ ...message, url });
  isSlow = true;
  const sent = several();
  await eventually(() => held.length === CONNECTIONS);
  // The connections of an endpoint that has been idle for as long, and longer, are closed.
  await idle.send({ ...message, endpointId: 2, url: other.url });
  await eventually(() => other.sockets[0]?.destroyed);
  sent.push(...several());
  await idle.send({ ...message, endpointId: 2, url: other.url }); // as long as it takes for further connections
  const open = sockets.filter(({ destroyed }) => !destroyed).length;
  isSlow = false;
  for (const response of held) response.end();
  await Promise.all(sent);
  await idle.close();

  expect(open).toBe(CONNECTIONS);
  expect(requests).toHaveLength(1 + 2 * CONNECTIONS);
});

describe("the agents of endpoints", () => {
  const URLS = { url: "http://receiver.example/", other: "http://receiver.example/other" };
  const create = (): Agent => new Agent();
  const agentOf = (agents: EndpointAgents, url = URLS.url): Promise<Agent> =>
    agents.use(1, url, (agent) => Promise.resolve(agent));

  test("are kept while they are used, then forgotten and closed", async () => {
    const agents = new EndpointAgents(create, 1);
    let finish = (): void => undefined;
    const used = agents.use(1, URLS.url, async (agent) => {
      await new Promise<void>((resolve) => (finish = resolve));
      return agent;
    });
    const agent = await agentOf(agents);
    // An agent that nobody uses is forgotten in the meantime.
    const unused = await agents.use(2, URLS.url, (each) => Promise.resolve(each));
    await eventually(() => unused.closed);

    expect(agent.closed).toBe(false);
    expect(await agentOf(agents)).toBe(agent);
    finish();
    expect(await used).toBe(agent);

    await eventually(() => agent.closed);
    expect(await agentOf(agents)).not.toBe(agent);
    await agents.close();
  });

  test("are closed when their endpoint has another URL", async () => {
    const agents = new EndpointAgents(create, 60_000);
    const first = await agentOf(agents);

    const second = await agentOf(agents, URLS.other);

    expect(second).not.toBe(first);
    expect([first.closed, second.closed]).toEqual([true, false]);
    await agents.close();
    expect(second.destroyed).toBe(true);
  });
});
