import { once } from "node:events";
import { Dispatcher } from "../../src/webhooks/dispatcher";
import { dataOf } from "../graphql/client";
import { placedOrder } from "../events/told";
import { useApp } from "../support/app";
import { makeEndpoint } from "./endpoint";

describe("with nothing to send", () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask"] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A dispatcher that finds nothing, and how often it has asked. */
  function idle(hasEndpoints: boolean) {
    const claim = jest.fn(() =>
      Promise.resolve({ deliveries: [], foundAny: false, hasEndpoints, until: Infinity }),
    );
    const queue = { claim, settle: () => Promise.resolve([]), release: () => Promise.resolve() };
    const silent = (): undefined => undefined;
    const reports = { ended: silent, disabled: silent, unsendable: silent, failed: silent };
    const sender = { send: () => Promise.resolve(undefined) };
    const none = () => ({ fault: "", isFinal: true });
    const dispatcher = new Dispatcher(queue, sender, none, reports);
    const asked = async (during: () => unknown = () => undefined): Promise<number> => {
      await jest.advanceTimersByTimeAsync(5);
      claim.mockClear();
      await during();
      return claim.mock.calls.length;
    };
    return { dispatcher, asked };
  }

  test.each([
    [true, 60],
    [false, 6],
  ])("endpoints: %s; it asks %i times in a minute", async (hasEndpoints, times) => {
    const { asked } = idle(hasEndpoints);
    expect(await asked(() => jest.advanceTimersByTimeAsync(60_000))).toBe(times);
  });

  test("a change makes it ask at once, and a thousand do not make it ask all the time", async () => {
    const { dispatcher, asked } = idle(true);
    await jest.advanceTimersByTimeAsync(500);
    expect(
      await asked(async () => {
        dispatcher.look({ atEndpoints: false });
        await jest.advanceTimersByTimeAsync(1);
      }),
    ).toBe(1);
    const times = await asked(async () => {
      for (let changes = 0; changes < 1_000; changes += 1) {
        dispatcher.look({ atEndpoints: false });
        await jest.advanceTimersByTimeAsync(1);
      }
    });
    expect(times).toBeLessThanOrEqual(10);
  });

  test("without endpoints, only a change of these makes it ask", async () => {
    const { dispatcher, asked } = idle(false);
    await jest.advanceTimersByTimeAsync(500);
    for (const atEndpoints of [false, true]) {
      const times = await asked(async () => {
        dispatcher.look({ atEndpoints });
        await jest.advanceTimersByTimeAsync(1_000);
      });
      expect(times).toBe(Number(atEndpoints));
    }
  });
});

describe("in a shop", () => {
  const app = useApp({ metrics: { port: 0 } });

  test("changes at both doors are announced, and those of endpoints as such", async () => {
    const { changes } = app.shop.services;
    const placed = once(changes, "committed");
    await placedOrder(app);
    expect(await placed).toEqual([{ isOfEndpoint: false }]);
    const made = once(changes, "committed");
    await makeEndpoint(app, "https://receiver.example/");
    expect(await made).toEqual([{ isOfEndpoint: true }]);
  });

  test("a look tells whether there is an active endpoint", async () => {
    const look = async () => (await app.shop.services.deliveryQueue.claim(new Map())).hasEndpoints;
    await app.sql("UPDATE webhook_endpoints SET is_active = false");
    expect(await look()).toBe(false);
    await makeEndpoint(app, "https://receiver.example/");
    expect(await look()).toBe(true);
  });

  test("a change of an endpoint waits for messages under way only if it concerns them", async () => {
    const endpoint = await makeEndpoint(app, "https://receiver.example/");
    const update = (input: string) =>
      dataOf(
        app,
        `mutation { updateWebhookEndpoint(id: ${endpoint.id}, input: { ${input} }) { id } }`,
      );
    const waits = async (): Promise<number> => {
      const line = /_count\{statement="messages under way"\} (\d+)/.exec(await app.metrics());
      return Number(line?.[1] ?? 0);
    };
    const before = await waits();
    await update(`description: "Mail", types: ["order.placed"]`);
    expect(await waits()).toBe(before);
    await update("includeLookup: true");
    expect(await waits()).toBe(before + 1);
  });
});
