import { once } from "node:events";
import fc from "fast-check";
import { Client } from "pg";
import { jsonPieces } from "../../src/graphql/limits/growing-answer";
import { startApp, startReplica, useApp, type TestApp } from "../support/app";
import { graphqlClause } from "../support/clause";
import { eventually } from "../support/eventually";
import { besideLock, waitingForLocks } from "../support/locks";
import { openSocket, sendJson } from "../support/raw-http";
import { extensionsOf, refusedOperation } from "../support/refusals";
import { execute } from "./client";

jest.setTimeout(60_000);

const app = useApp();
beforeAll(async () => {
  const description = `"é\u0001🍵\\`.repeat(1000);
  for (let count = 0; count < 3; count += 1) await app.make.product({ description });
});

const request = JSON.stringify({
  query: "{ products { data { id price createdAt description updatedAt category { name } } } }",
});

graphqlClause(
  "10.limits.answer",
  "an answer as long as allowed is sent, no byte more",
  async () => {
    const whole = await sendJson(app.url, "POST", "/graphql", request);
    const bytes = Buffer.byteLength(whole.text);
    const enough = await startReplica(app, { graphql: { maxAnswer: bytes } });
    const less = await startReplica(app, { graphql: { maxAnswer: bytes - 1 } });
    try {
      expect((await sendJson(enough.url, "POST", "/graphql", request)).text).toBe(whole.text);
      const refused = await sendJson(less.url, "POST", "/graphql", request);
      const message = `The answer would exceed ${bytes - 1} bytes`;
      expect([refused.status, refused.body]).toEqual([200, refusedOperation(400, [message])]);
      const accept = "application/graphql-response+json";
      const withStatus = await sendJson(less.url, "POST", "/graphql", request, { accept });
      expect([withStatus.status, withStatus.body]).toEqual([400, refused.body]);
      expect(less.log.join("")).not.toContain("unexpected failure");
    } finally {
      await Promise.all([enough.close(), less.close()]);
    }
  },
);

const times = (count: number, write: (index: number) => string) =>
  `{ ${Array.from({ length: count }, (_, index) => write(index)).join(" ")} }`;

const described = (size: number) => `products(pageSize: ${size}) { data { description } }`;

/** Statements that read products while `work` is done. */
async function readsDuring(work: () => Promise<unknown>): Promise<number> {
  const spy = jest.spyOn(Client.prototype, "query");
  await work();
  const texts = spy.mock.calls.map(([statement]: unknown[]) => JSON.stringify(statement));
  spy.mockRestore();
  return texts.filter((text) => text.includes("FROM products")).length;
}

test("no more lists are read for an answer that is too long already", async () => {
  const replica = await startReplica(app, { graphql: { maxAnswer: 100_000 } });
  const refusal = refusedOperation(400, ["The answer would exceed 100000 bytes"]);
  try {
    const query = times(30, (index) => `a${index}: ${described(3)}`);
    const reads = await readsDuring(async () => {
      expect((await execute(replica, { query })).body).toEqual(refusal);
    });
    // Four lists of 27,000 bytes are too long, and by then two more may have begun.
    expect(reads).toBeLessThanOrEqual(6);
    // A field that may be null does not hide that the answer is too long.
    const nullable = times(30, (index) => `a${index}: category(id: 1) { ${described(3)} }`);
    expect((await execute(replica, { query: nullable })).body).toEqual(refusal);
    // One row is enough, if it is selected often.
    const often = `{ products(pageSize: 1) { data ${times(40, (index) => `a${index}: description`)} } }`;
    expect((await execute(replica, { query: often })).body).toEqual(refusal);
  } finally {
    await replica.close();
  }
});

describe("answers that are not small", () => {
  /** So large that there is room for one answer at a time. */
  const roomForOne = { graphql: { maxAnswer: 60_000_000 } };
  /** More than the buffers of a connection hold. */
  const huge = times(20, (index) => `a${index}: ${described(50)}`);
  let shop: TestApp;
  beforeAll(async () => {
    shop = await startApp({ ...roomForOne, catalogue: { cache: false } });
    const { id } = await shop.make.product();
    await shop.sql(
      `INSERT INTO products (name, slug, description, price, category_id)
       SELECT 'Long tea', 'long-tea-' || n, repeat('🍵', 5000), 1, category_id
       FROM products, generate_series(1, 50) AS n WHERE id = $1`,
      [id],
    );
  });
  afterAll(() => shop.close());

  /** A client that reads nothing. */
  function client(query: string) {
    const socket = openSocket(shop.url);
    const body = JSON.stringify({ query });
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: shop\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    return socket;
  }

  /** One whose answer has begun, so that it occupies the room. */
  async function stalledClient(query: string) {
    const socket = client(query);
    await once(socket, "readable");
    return socket;
  }

  const endOf = ({ body }: Awaited<ReturnType<typeof execute>>) =>
    body.errors?.map(({ extensions }) => extensions) ?? "whole";

  test("wait while others have the room, and are refused if too many wait", async () => {
    const stalled = await stalledClient(huge);
    const ends: unknown[] = [];
    const all = Array.from({ length: 17 }, async () =>
      ends.push(endOf(await execute(shop, { query: `{ ${described(10)} }` }))),
    );
    await Promise.race(all);
    expect(ends).toEqual([[extensionsOf(503, undefined, { retryAfter: 1 })]]);
    // Small answers need no room.
    expect(endOf(await execute(shop, { query: `{ ${described(5)} }` }))).toBe("whole");
    expect(ends).toHaveLength(1);
    // The room of who is gone is that of the next, and so on.
    stalled.destroy();
    await Promise.all(all);
    expect(ends.slice(1)).toEqual(Array(16).fill("whole"));
  });

  test("that can be told beforehand wait before anything is read", async () => {
    const stalled = await stalledClient(huge);
    let answer: ReturnType<typeof execute> | undefined;
    const reads = await readsDuring(async () => {
      answer = execute(shop, { query: huge });
      await execute(shop, { query: "{ categories { id } }" });
    });
    expect(reads).toBe(0);
    stalled.destroy();
    expect(endOf(await answer!)).toBe("whole");
  });

  test("leave the room when their client goes before they are read", async () => {
    await besideLock(shop, "LOCK TABLE products", async (holder) => {
      const socket = client(huge);
      await eventually(async () => {
        const answer = socket.read() as Buffer | null;
        if (answer) throw new Error(`It was answered: ${answer.toString()}`);
        return (await waitingForLocks(shop)) > 0;
      });
      socket.destroy();
      await eventually(async () => (await waitingForLocks(shop)) === 0);
      await holder.query("COMMIT");
      expect(endOf(await execute(shop, { query: `{ ${described(10)} }` }))).toBe("whole");
    });
  });
});

/** A request with 40 faults, 10 of which are told. */
const mistaken = JSON.stringify({
  query: `{ ${Array.from({ length: 40 }, (_, i) => `a${i}: product { id }`).join(" ")} }`,
});

test("errors count as well", async () => {
  const whole = await sendJson(app.url, "POST", "/graphql", mistaken);
  const replica = await startReplica(app, { graphql: { maxAnswer: 500 } });
  try {
    expect(whole.text.length).toBeGreaterThan(500);
    expect((await sendJson(replica.url, "POST", "/graphql", mistaken)).text.length).toBeLessThan(
      500,
    );
  } finally {
    await replica.close();
  }
});

test("JSON is the same in pieces, whatever is in it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
    }),
  );
  const value = { at: new Date(0), none: undefined, toJSON: 1, list: [new Date(0), {}, undefined] };
  expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
});

test("what is not sent is not written", () => {
  const unread = {
    toJSON: () => {
      throw new Error("written too far");
    },
  };
  const pieces = jsonPieces({ data: { products: { data: ["sent", unread] } } });
  expect([1, 2, 3, 4].map(() => pieces.next().value).join("")).toBe(
    '{"data":{"products":{"data":["sent"',
  );
});
