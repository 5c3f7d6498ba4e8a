/** @check */

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { mailer } from "../../examples/mailer/mailer";
import type { Order } from "../../examples/receiver/events";
import { receiver } from "../../examples/receiver/receiver";
import { bodyOf, newSecret, serve, signed, type Sent } from "./signed";

interface Taken {
  readonly recipients: readonly string[];
  readonly raw: string;
  readonly email: Email;
}

const secret = newSecret();
const taken: Taken[] = [];
/** What the SMTP server answers recipients and messages instead of taking them, one after another. */
const refusals: { recipient: number[]; message: number[] } = { recipient: [], message: [] };
const refusalOf = (code: number | undefined) =>
  code === undefined ? null : Object.assign(new Error("Not so"), { responseCode: code });

const smtp = new SMTPServer({
  authMethods: ["PLAIN"],
  allowInsecureAuth: true,
  disabledCommands: ["STARTTLS"],
  logger: false,
  onAuth: ({ username, password }, _session, callback) => {
    const isRight = username === "shop" && password === "p@ss";
    callback(isRight ? null : new Error("Wrong"), { user: "shop" });
  },
  onRcptTo: (_address, _session, callback) => callback(refusalOf(refusals.recipient.shift())),
  onData: (stream, { envelope }, callback) => {
    void text(stream).then(async (raw) => {
      const refusal = refusalOf(refusals.message.shift());
      if (!refusal) {
        const recipients = envelope.rcptTo.map(({ address }) => address);
        taken.push({ recipients, raw, email: await PostalMime.parse(raw) });
      }
      callback(refusal);
    });
  },
});

const undeliverable: [message: string, subject: string][] = [];
const errors: unknown[] = [];
let endpoint: Awaited<ReturnType<typeof serve>>;
let send: (sent: Partial<Sent>) => Promise<number>;

/** Starts an endpoint whose messages go to a server at this port. */
async function start(port: number, account = "shop:p%40ss"): Promise<void> {
  const handle = mailer({
    smtp: `smtp://${account}@127.0.0.1:${port}`,
    from: { name: 'Jörg\'s "Tea", Shop', address: "orders@tea-shop.example" },
    orderPage: "https://shop.example.com/order",
    newsletter: {
      confirm: "https://shop.example.com/confirm",
      unsubscribe: "https://mailer.example.com/unsubscribe",
    },
    undeliverable: ({ message }, subject) => undeliverable.push([message, subject]),
  });
  endpoint = await serve(receiver({ secret, handle, report: (error) => errors.push(error) }));
  send = async (sent) => (await fetch(endpoint.url, signed({ secret, ...sent }))).status;
}

let smtpPort: number;
beforeAll(async () => {
  const server = smtp.listen(0, "127.0.0.1");
  await once(server, "listening");
  smtpPort = (server.address() as AddressInfo).port;
});
beforeEach(async () => {
  for (const list of [taken, undeliverable, errors]) list.length = 0;
  await start(smtpPort);
});
afterEach(() => endpoint.close());
afterAll(() => new Promise<void>((resolve) => smtp.close(resolve)));

const ITEM = {
  ...{ id: 1, orderId: 7, productId: 3, quantity: 2 },
  ...{ unitPrice: "6.25", productName: "Sencha", productSlug: "sencha" },
};

const placed = (own: Partial<Order> = {}): string =>
  bodyOf("order.placed", {
    id: 7,
    customerEmail: "ada@example.com",
    totalAmount: "12.50",
    status: "PENDING",
    createdAt: "2026-11-23T10:00:00.000Z",
    version: 1,
    items: [ITEM],
    ...own,
  } satisfies Order);

test("a customer who has placed an order gets a message of it", async () => {
  const id = randomUUID();
  const other = {
    ...{ ...ITEM, id: 2, productId: 4, quantity: 1 },
    ...{ unitPrice: "0.50", productName: "Löffel" },
  };
  const body = placed({ totalAmount: "13.00", items: [ITEM, other] });
  expect(await send({ id, body })).toBe(204);
  expect(taken).toHaveLength(1);
  const [{ recipients, raw, email }] = taken as [Taken];
  expect(recipients).toEqual(["ada@example.com"]);
  expect(email).toMatchObject({
    from: { name: 'Jörg\'s "Tea", Shop', address: "orders@tea-shop.example" },
    to: [{ name: "", address: "ada@example.com" }],
    subject: "Your order 7",
    messageId: `<${id}@tea-shop.example>`,
    attachments: [],
  });
  expect(email.html).toBeUndefined();
  expect(email.text?.trimEnd()).toBe(
    "Thank you for your order 7.\n\n2 × Sencha, 6.25 each\n1 × Löffel, 0.50 each\n\nTotal: 13.00",
  );
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  // Each line of a message is ASCII, whatever the server takes.
  expect(raw).toMatch(/^[\t\r\n -~]*$/);
});

test("the message links the order's page, with the lookup in the fragment alone", async () => {
  const lookup = `7.${"kQ3-_".repeat(8)}abc`;
  expect(await send({ body: placed({ lookup }) })).toBe(204);
  const lines = taken[0]?.email.text?.trimEnd().split("\n").slice(-3);
  expect(lines).toEqual(["Total: 12.50", "", `See it: https://shop.example.com/order#${lookup}`]);
  const { hash, pathname, search } = new URL(lines![2]!.replace("See it: ", ""));
  expect([hash, pathname, search]).toEqual([`#${lookup}`, "/order", ""]);
});

test("a product's name adds no line and no header, and stays readable", async () => {
  const names = [
    "Grüner\r\n\r\nTotal: 0.00\nBcc: eve@example.com",
    'A "quoted" <b>tea</b>\u2028Total: 0.00',
    "\r\n.\r\nQUIT\r\n",
    "Tea\u0000\u001b[2J \u0085 茶 🍵",
  ];
  const items = names.map((productName, index) => ({ ...ITEM, id: index, productName }));
  expect(await send({ body: placed({ items }) })).toBe(204);
  expect(taken).toHaveLength(1);
  const [{ recipients, email }] = taken as [Taken];
  expect(recipients).toEqual(["ada@example.com"]);
  expect([email.bcc, email.to?.length]).toEqual([undefined, 1]);
  expect(email.text?.trimEnd().split("\n").slice(2)).toEqual([
    "2 × Grüner Total: 0.00 Bcc: eve@example.com, 6.25 each",
    '2 × A "quoted" <b>tea</b> Total: 0.00, 6.25 each',
    "2 × . QUIT, 6.25 each",
    "2 × Tea [2J 茶 🍵, 6.25 each",
    "",
    "Total: 12.50",
  ]);
});

test.each([
  ["with a line break", "ada@example.com\r\nBcc: eve@example.com"],
  ["with a command", "ada@example.com>\r\nRCPT TO:<eve@example.com"],
  ["of two", "ada@example.com, eve@example.com"],
  ["with a name", "Ada <ada@example.com>"],
  ["of a group", "all: ada@example.com, eve@example.com;"],
])("an address %s reaches nobody, and is given up", async (_what, customerEmail) => {
  const sent = { id: randomUUID(), body: placed({ customerEmail }) };
  expect([await send(sent), await send(sent)]).toEqual([204, 204]);
  expect(taken).toEqual([]);
  expect([undeliverable.length, undeliverable[0]?.[1], errors]).toEqual([1, "order.placed 7", []]);
});

test.each([
  ["umlauts in its domain", "ada@bücher.example", "ada@xn--bcher-kva.example"],
  ["umlauts before its domain", "jörg@example.com", "jörg@example.com"],
  ["a plus and an apostrophe", "o'neil+tea@example.com", "o'neil+tea@example.com"],
])("an address with %s gets its message", async (_what, customerEmail, written) => {
  expect(await send({ body: placed({ customerEmail }) })).toBe(204);
  // The server shows the domain as people write it.
  expect(taken.map(({ recipients }) => recipients)).toEqual([[customerEmail]]);
  expect(taken[0]?.email.to).toEqual([{ name: "", address: written }]);
});

test.each([
  ["the address for now", "recipient", 451],
  ["the message for now", "message", 451],
  ["the message", "message", 554],
] as const)("where the server refuses %s, the next try sends it", async (_what, part, code) => {
  refusals[part].push(code);
  const sent = { id: randomUUID(), body: placed() };
  expect([await send(sent), errors.length, taken.length]).toEqual([500, 1, 0]);
  expect([await send(sent), await send(sent)]).toEqual([204, 204]);
  expect(taken.map(({ email }) => email.messageId)).toEqual([`<${sent.id}@tea-shop.example>`]);
  expect(undeliverable).toEqual([]);
});

test("an address that the server refuses for good is given up", async () => {
  refusals.recipient.push(550);
  const sent = { id: randomUUID(), body: placed() };
  expect([await send(sent), await send(sent)]).toEqual([204, 204]);
  expect([taken, errors]).toEqual([[], []]);
  expect(undeliverable).toEqual([[expect.stringContaining("Not so"), "order.placed 7"]]);
});

test("a server that can't be reached, or a wrong password, has the shop try again", async () => {
  const { url, close } = await serve(() => undefined);
  await close();
  for (const [port, account] of [
    [Number(new URL(url).port), "shop:p%40ss"],
    [smtpPort, "shop:wrong"],
  ] as const) {
    await endpoint.close();
    await start(port, account);
    expect(await send({ body: placed() })).toBe(500);
  }
  expect([errors.length, taken, undeliverable]).toEqual([2, [], []]);
});

test("other events send nothing", async () => {
  const order = JSON.parse(placed()).data;
  for (const type of ["order.status_changed", "order.updated", "order.deleted"]) {
    expect(await send({ body: bodyOf(type, order) })).toBe(204);
  }
  expect(await send({ body: bodyOf("test.ping", { version: 0 }) })).toBe(204);
  expect([taken, errors]).toEqual([[], []]);
});
