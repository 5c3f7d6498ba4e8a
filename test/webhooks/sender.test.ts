import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { signatureHeaders, webhookBody } from "../../src/webhooks/message";
import { type Answer } from "../../src/webhooks/sender";
import { newSecret } from "../../src/vocabulary/webhooks";
import { eventually } from "../support/eventually";
import { selfSigned } from "../support/self-signed";
import { closeReceivers, listening, newSender, startReceiver } from "./receiver";

jest.setTimeout(60_000);

type Options = Parameters<typeof newSender>[0];

afterEach(closeReceivers);

const message = { headers: {}, body: "{}" };

const sendTo = (url: string, options?: Options) => newSender(options).send({ ...message, url });

/** Sends a message to a receiver that answers so. */
async function answerTo(answer: (response: ServerResponse) => unknown): Promise<Answer> {
  const { url } = await startReceiver(answer);
  return (await sendTo(url))!;
}

const none = { status: null, answer: "", retryAfter: null };

test("a receiver gets the message as it was signed, and its answer comes back", async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(201, { "content-type": "text/plain" });
    response.end("grüner Tee 🍵");
  });
  const secrets = [newSecret(), newSecret()];
  const body = webhookBody({ type: "order.placed", at: new Date(), data: { id: 7, name: "Grün" } });
  const headers = signatureHeaders(secrets, { id: "evt_7", timestamp: new Date(), body });
  expect(await newSender().send({ url: receiver.url, headers, body })).toEqual({
    status: 201,
    fault: null,
    answer: "grüner Tee 🍵",
    retryAfter: null,
  });
  expect(receiver.requests).toHaveLength(1);
  const [received] = receiver.requests;
  expect(received).toMatchObject({
    method: "POST",
    path: "/hook?shop=tea",
    headers: {
      host: `127.0.0.1:${receiver.port}`,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": "tea-shop-webhooks",
      "accept-encoding": "identity",
      "webhook-id": "evt_7",
    },
    body,
  });
  for (const secret of secrets) {
    const verified = new Webhook(secret).verify(
      received!.body,
      received!.headers as Record<string, string>,
    );
    expect(verified).toEqual(JSON.parse(body));
  }
});

test.each([301, 302, 303, 307, 308, 204, 400, 404, 410, 429, 500, 503])(
  "%i is an answer, which no other request follows",
  async (status) => {
    const { url, requests } = await startReceiver((response) =>
      response.writeHead(status, { location: "/elsewhere", "retry-after": "120" }).end(),
    );
    expect(await sendTo(url)).toEqual({
      ...{ status, fault: null, answer: "", retryAfter: 120_000 },
    });
    expect(requests.map(({ path }) => path)).toEqual(["/hook?shop=tea"]);
  },
);

test.each<[string, string | Buffer, string]>([
  ["a long text", "x".repeat(1_500), "x".repeat(1_000)],
  ["a text of 1 MB", "ab".repeat(500_000), "ab".repeat(500)],
  ["letters of four bytes", "🍵".repeat(1_001), "🍵".repeat(1_000)],
  ["a letter of four bytes at the end", `${"x".repeat(999)}🍵🍵`, `${"x".repeat(999)}🍵`],
  ["broken UTF-8", Buffer.from([0x61, 0xff, 0xc3, 0x62, 0xf0, 0x9f]), "a\uFFFD\uFFFDb\uFFFD"],
  ["a surrogate as UTF-8", Buffer.from([0xed, 0xa0, 0x80]), "\uFFFD\uFFFD\uFFFD"],
  ["NUL characters", "a\0b\0", "a\uFFFDb\uFFFD"],
])("an answer with %s", async (_, body, text) => {
  const answer = await answerTo((response) => response.end(body));
  expect(answer).toEqual({ status: 200, fault: null, answer: text, retryAfter: null });
  expect(answer.answer.isWellFormed()).toBe(true);
});

test("a compressed answer is not decompressed", async () => {
  const zipped = gzipSync("tea ".repeat(1_000_000));
  const answer = await answerTo((response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(zipped),
  );
  const text = new TextDecoder().decode(zipped).replaceAll("\0", "\uFFFD");
  expect(answer).toMatchObject({ status: 200, fault: null, answer: text.slice(0, 1_000) });
});

test("of a long answer that does not end the beginning is read, and its connection is closed", async () => {
  const receiver = await startReceiver((response) => response.write("x".repeat(1_000_000)));
  const answer = await sendTo(receiver.url);
  expect(answer).toMatchObject({ status: 200, fault: null, answer: "x".repeat(1_000) });
  await eventually(() => receiver.sockets[0]?.destroyed);
});

describe("an answer that does not come", () => {
  test.each<[string, string, (socket: Socket) => unknown]>([
    ["to the request", "http", () => undefined],
    ["to the handshake of TLS", "https", () => undefined],
    ["to its end, headers alone", "http", (socket) => socket.write("HTTP/1.1 200 OK\r\nx: ")],
  ])("%s is waited for only so long", async (_, protocol, begin) => {
    const server = await listening(createServer((socket) => begin(socket.resume())));
    const url = `${protocol}://127.0.0.1:${server.port}/`;
    const answer = await sendTo(url, { timeout: 50 });
    expect(answer).toEqual({ ...none, fault: "timed out after 0.05 s" });
    await eventually(() => server.sockets.every(({ destroyed }) => destroyed));
  });

  test("counts from the moment when the request is written", async () => {
    const { port } = await startReceiver((response) => setTimeout(() => response.end(), 1_500));
    const lookup = async () => {
      await sleep(1_500);
      return [{ address: "127.0.0.1", family: 4 }];
    };
    const answer = await sendTo(`http://receiver.example:${port}/`, { timeout: 2_500, lookup });
    expect(answer).toMatchObject({ status: 200, fault: null });
  });

  test("because the body never ends, though it goes on", async () => {
    const { url } = await startReceiver((response) => {
      response.write("beginning");
      const timer = setInterval(() => response.write("."), 10);
      response.on("close", () => clearInterval(timer));
    });
    const answer = await sendTo(url, { timeout: 1_500 });
    expect(answer).toMatchObject({ status: 200, fault: "timed out after 1.5 s" });
    expect(answer!.answer).toMatch(/^beginning\.*$/);
  });
});

describe("a connection", () => {
  test.each<[string, string, (socket: Socket) => unknown]>([
    ["is reset", "connection reset", (socket) => socket.resetAndDestroy()],
    [
      "is closed",
      "connection closed before the whole answer came",
      (socket) => socket.resume().end(),
    ],
    [
      "speaks another protocol",
      "the answer is not HTTP",
      (socket) => socket.end("SSH-2.0-tea\r\n"),
    ],
    [
      "begins with too many headers",
      "the headers of the answer are too long",
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(100_000)}\r\n\r\n`),
    ],
  ])("that %s", async (_, fault, act) => {
    const server = await listening(
      createServer((socket) => socket.once("data", () => act(socket))),
    );
    const answer = await sendTo(`http://127.0.0.1:${server.port}/`);
    expect(answer).toEqual({ ...none, fault });
  });

  test("that is closed within the body: what has come is kept", async () => {
    const server = await listening(
      createServer((socket) =>
        socket.once("data", () =>
          socket.end("HTTP/1.1 503 Gone\r\nretry-after: 9\r\ncontent-length: 9\r\n\r\ntea"),
        ),
      ),
    );
    expect(await sendTo(`http://127.0.0.1:${server.port}/`)).toEqual({
      status: 503,
      fault: "connection closed before the whole answer came",
      answer: "tea",
      retryAfter: 9_000,
    });
  });
});

test("a certificate that nobody knows is refused, and no request is sent", async () => {
  const names: string[] = [];
  const texts: string[] = [];
  const SNICallback = (name: string, accept: (error: null) => void): void => {
    names.push(name);
    accept(null);
  };
  const tls = createTlsServer({ ...selfSigned, SNICallback }, (socket) => {
    socket.on("data", (data) => texts.push(String(data))).on("error", () => undefined);
  });
  const server = await listening(tls);
  const lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
  expect(await sendTo(`https://receiver.example:${server.port}/`, { lookup })).toEqual({
    ...none,
    fault: "certificate is signed by itself",
  });
  await eventually(() => server.sockets.every(({ destroyed }) => destroyed));
  expect({ names, texts }).toEqual({ names: ["receiver.example"], texts: [] });
});

test("a receiver without encryption at an https URL is said to be so", async () => {
  const { port } = await startReceiver();
  const answer = await sendTo(`https://127.0.0.1:${port}/`);
  expect(answer).toEqual({
    ...none,
    fault: expect.stringMatching(/^no encryption could be agreed on \(ERR_SSL_\w+\)$/),
  });
});

const failing = (code: string) => () => Promise.reject(Object.assign(new Error("no"), { code }));
const never = new Promise<never>(() => undefined);

test.each<[fault: string, options: Options]>([
  ["name not found", { lookup: failing("ENOTFOUND") }],
  ["names can't be looked up now", { lookup: failing("EAI_AGAIN") }],
  ["failed (EAI_FAIL)", { lookup: failing("EAI_FAIL") }],
  ["timed out after 0.05 s", { timeout: 50, lookup: () => never }],
])("the fault of a look-up: %s", async (fault, options) => {
  const url = "http://receiver.example/";
  expect(await sendTo(url, options)).toEqual({ ...none, fault });
});

test.each([
  ["http://127.0.0.1:1/", "connection refused"],
  ...["", "receiver.example", "ftp://receiver.example/", "http://", "http://a b/"].map((url) => [
    url,
    "not an http or https URL",
  ]),
])("the fault of %p: %s", async (url, fault) => {
  expect(await sendTo(url)).toEqual({ ...none, fault });
});

test("a message that is too late when its connection opens is not sent, and the next one has that connection", async () => {
  const { url, requests, sockets } = await startReceiver();
  const sender = newSender();
  expect(await sender.send({ ...message, url, until: performance.now() - 1 })).toBeUndefined();
  expect(await sender.send({ ...message, url, body: '"next"' })).toMatchObject({ status: 200 });
  expect(requests.map(({ body }) => body)).toEqual(['"next"']);
  expect(sockets).toHaveLength(1);
});
