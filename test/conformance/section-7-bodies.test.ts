import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { useApp } from "../support/app";
import { clause, clauseEach } from "../support/clause";
import { send, sendJson } from "../support/raw-http";
import { expectRefused } from "../support/refusals";
import { everythingStored, storingNothing } from "../support/stored";

const LIMIT = 102_400;

let order: string;
const app = useApp();
beforeAll(async () => {
  const { id } = await app.make.product();
  order = JSON.stringify({
    customerEmail: "a@example.com",
    items: [{ productId: id, quantity: 1 }],
  });
});

interface Sent {
  readonly body: string | Buffer;
  readonly headers?: Record<string, string>;
}

const place = ({ body, headers = {} }: Sent) => sendJson(app.url, "POST", "/orders", body, headers);

/** Expects a refusal in the error shape, with nothing stored. */
async function expectRefusedBody(sent: Sent, statusCode: number): Promise<void> {
  const answer = await storingNothing(app, () => place(sent));
  expectRefused(answer, statusCode, expect.stringMatching(/./));
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
}

clauseEach<string | Buffer>(
  "7.malformed",
  "a body that is no JSON is refused",
  {
    "cut off": '{"customerEmail":',
    "single quotes": "{'a':1}",
    "a trailing comma": '{"a":1,}',
    "two values": "{}{}",
    "a word": "customerEmail",
    NaN: '{"a":NaN}',
    "a comment": "{} // tea",
    "a raw line break in a text": '{"a":"\n"}',
    "only blanks": "   ",
    "invalid UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    "a surrogate in UTF-8": Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    "UTF-16": Buffer.from("\ufeff{}", "utf16le"),
  },
  (body) => expectRefusedBody({ body }, 400),
);

clauseEach(
  "7.malformed",
  "a body that is no JSON object is refused",
  {
    "a list": "[]",
    "a list of objects": "[{}]",
    text: '"x"',
    number: "1",
    null: "null",
    true: "true",
  },
  (body) => expectRefusedBody({ body }, 400),
);

clauseEach<Sent>(
  "7.malformed",
  "a compressed body that can't be decompressed is refused",
  {
    "cut off": {
      body: gzipSync('{"a":1}').subarray(0, 15),
      headers: { "content-encoding": "gzip" },
    },
    "not compressed at all": { body: '{"a":1}', headers: { "content-encoding": "gzip" } },
    "under another encoding": {
      body: gzipSync('{"a":1}'),
      headers: { "content-encoding": "br" },
    },
  },
  (sent) => expectRefusedBody(sent, 400),
);

clause("7.413", "exactly 100 kB pass, a byte more does not", async () => {
  expect((await place({ body: order.padEnd(LIMIT) })).status).toBe(201);
  await expectRefusedBody({ body: order.padEnd(LIMIT + 1) }, 413);
});

clause("7.413", "bytes are counted, not characters", async () => {
  const text = "茶".repeat(LIMIT / 3);
  const body = Buffer.from(`{"a":"${text}"}`);
  await expectRefusedBody({ body }, 413);
});

clauseEach<Sent>(
  "7.413",
  "the limit holds after decompression",
  {
    gzip: { body: gzipSync(" ".repeat(LIMIT + 1)), headers: { "content-encoding": "gzip" } },
    "a gzip bomb": {
      body: gzipSync(Buffer.alloc(20_000_000, " ")),
      headers: { "content-encoding": "gzip" },
    },
    deflate: {
      body: deflateSync(" ".repeat(LIMIT + 1)),
      headers: { "content-encoding": "deflate" },
    },
    br: {
      body: brotliCompressSync(" ".repeat(LIMIT + 1)),
      headers: { "content-encoding": "br" },
    },
  },
  (sent) => expectRefusedBody(sent, 413),
);

clauseEach(
  "7.413",
  "the limit holds for a body of unknown length",
  { "in small letters": "chunked", "in other letters, which mean the same": "Chunked" },
  async (coding) => {
    const headers = { "transfer-encoding": coding };
    expect((await place({ body: order.padEnd(LIMIT), headers })).status).toBe(201);
    await expectRefusedBody({ body: order.padEnd(LIMIT + 1), headers }, 413);
  },
);

clause("7.413", "too large a length is refused before any of the body is sent", async () => {
  const headers = { "content-length": String(LIMIT + 1), connection: "close" };
  await expectRefusedBody({ body: "", headers }, 413);
});

clauseEach<Record<string, string>>(
  "7.415",
  "a body of another media type, charset or encoding is refused",
  {
    "text/plain": { "content-type": "text/plain" },
    "a form": { "content-type": "application/x-www-form-urlencoded" },
    "an empty content type": { "content-type": "" },
    "no media type": { "content-type": "json" },
    "text/json": { "content-type": "text/json" },
    "application/+json": { "content-type": "application/+json" },
    "application/jsonp": { "content-type": "application/jsonp" },
    "application/json-seq": { "content-type": "application/json-seq" },
    latin1: { "content-type": "application/json; charset=latin1" },
    "iso-8859-1": { "content-type": "application/json; charset=iso-8859-1" },
    "utf-16": { "content-type": "application/json; charset=utf-16" },
    "an unknown charset": { "content-type": "application/json; charset=tea" },
    "an unknown encoding": { "content-encoding": "zip" },
    "two encodings": { "content-encoding": "gzip, gzip" },
  },
  (headers) => expectRefusedBody({ body: order, headers }, 415),
);

clause("7.415", "a body without a content type is refused", async () => {
  const request = { method: "POST", path: "/orders", body: order };
  expectRefused(
    await storingNothing(app, () => send(app.url, request)),
    415,
    expect.stringMatching(/./),
  );
});

clauseEach<() => Sent>(
  "7.415",
  "JSON in UTF-8 is taken, however it is labelled or compressed",
  {
    "application/vnd.api+json": () => ({
      body: order,
      headers: { "content-type": "application/vnd.api+json" },
    }),
    "an upper case media type": () => ({
      body: order,
      headers: { "content-type": "Application/JSON" },
    }),
    "an upper case charset": () => ({
      body: order,
      headers: { "content-type": "application/json; charset=UTF-8" },
    }),
    "a charset without a hyphen": () => ({
      body: order,
      headers: { "content-type": "application/json; charset=utf8" },
    }),
    "a charset in quotes": () => ({
      body: order,
      headers: { "content-type": 'application/json; charset="utf-8"' },
    }),
    "a further parameter": () => ({
      body: order,
      headers: { "content-type": "application/json; profile=tea" },
    }),
    "a byte order mark": () => ({ body: `\ufeff${order}` }),
    "blanks around it": () => ({ body: `\r\n\t ${order} \n` }),
    gzip: () => ({ body: gzipSync(order), headers: { "content-encoding": "gzip" } }),
    "gzip in upper case": () => ({
      body: gzipSync(order),
      headers: { "content-encoding": "GZIP" },
    }),
    deflate: () => ({ body: deflateSync(order), headers: { "content-encoding": "deflate" } }),
    br: () => ({ body: brotliCompressSync(order), headers: { "content-encoding": "br" } }),
    identity: () => ({ body: order, headers: { "content-encoding": "identity" } }),
  },
  async (sentOf) => {
    expect((await place(sentOf())).status).toBe(201);
  },
);

clauseEach<Record<string, string>>(
  "7.malformed",
  "no body at all counts as an empty object",
  {
    "without a content type": {},
    "as JSON": { "content-type": "application/json" },
    "as text": { "content-type": "text/plain" },
    "as nothing known": { "content-type": "?", "content-encoding": "zip" },
    "of length 0": { "content-length": "0", "content-type": "text/plain" },
  },
  async (headers) => {
    const { id } = await app.make.category();
    const asAdmin = { ...headers, authorization: app.asAdmin };
    const ordered = await send(app.url, { method: "POST", path: "/orders", headers });
    expectRefused(ordered, 400, ["customerEmail must be an email", "items must be an array"]);
    const before = await everythingStored(app);
    const path = `/categories/${id}`;
    const changed = await send(app.url, { method: "PATCH", path, headers: asAdmin });
    expect([changed.status, changed.body]).toMatchObject([200, { id }]);
    expect(await everythingStored(app)).toEqual(before);
  },
);

clauseEach<Sent>(
  "7.malformed",
  "bodies of GET and DELETE are ignored",
  {
    "a JSON object": { body: '{"foo":1}', headers: { "content-type": "application/json" } },
    "malformed JSON": { body: "{", headers: { "content-type": "application/json" } },
    text: { body: "x", headers: { "content-type": "text/plain" } },
    "an unknown encoding": { body: "x", headers: { "content-encoding": "zip" } },
    "more than the limit": {
      body: " ".repeat(LIMIT + 1),
      headers: { "content-type": "application/json" },
    },
  },
  async ({ body, headers = {} }) => {
    const { id } = await app.make.product();
    const asAdmin = { ...headers, authorization: app.asAdmin };
    const path = `/products/${id}`;
    expect((await send(app.url, { method: "GET", path, headers, body })).status).toBe(200);
    const orders = await send(app.url, { method: "GET", path: "/orders", headers: asAdmin, body });
    expect(orders.status).toBe(200);
    const deleted = await send(app.url, { method: "DELETE", path, headers: asAdmin, body });
    expect([deleted.status, deleted.body]).toMatchObject([200, { id }]);
  },
);
