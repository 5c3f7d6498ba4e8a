import fc from "fast-check";
import { isLongerAsJson } from "../../src/graphql/limits/json-length";
import { startApp, startReplica, type TestApp } from "../support/app";
import { clause } from "../support/clause";
import { sendJson } from "../support/raw-http";
import { refusedOperation } from "../support/refusals";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  const description = `"é\u0001🍵\\`.repeat(1000);
  for (let count = 0; count < 3; count += 1) await app.make.product({ description });
});
afterAll(() => app.close());

const request = JSON.stringify({
  query: "{ products { data { id price createdAt description updatedAt category { name } } } }",
});

clause(
  "10.limits.answer",
  "an answer as long as allowed is sent, one byte more is refused",
  { doors: ["GraphQL"] },
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

test("errors that are not sent do not count", async () => {
  const whole = await sendJson(app.url, "POST", "/graphql", mistaken);
  const maxAnswer = Buffer.byteLength(whole.text);
  const replica = await startReplica(app, { graphql: { maxAnswer } });
  try {
    expect((await sendJson(replica.url, "POST", "/graphql", mistaken)).text).toBe(whole.text);
  } finally {
    await replica.close();
  }
});

test("a value is as long as JSON makes it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const bytes = Buffer.byteLength(JSON.stringify(value));
      expect([isLongerAsJson(value, bytes), isLongerAsJson(value, bytes - 1)]).toEqual([
        false,
        true,
      ]);
    }),
  );
  const value = { at: new Date(0), none: undefined, toJSON: 1, list: [new Date(0), {}, 7] };
  const bytes = JSON.stringify(value).length;
  expect([isLongerAsJson(value, bytes), isLongerAsJson(value, bytes - 1)]).toEqual([false, true]);
});

test("what is too long is read no further, so that refusing it costs little", () => {
  const unread = {
    toJSON: () => {
      throw new Error("read too far");
    },
  };
  for (const value of [["too long", unread], { text: "too long", unread }]) {
    expect(isLongerAsJson(value, 5)).toBe(true);
  }
});
