import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import { mailer } from "../../examples/mailer/mailer";
import { oneClick } from "../../examples/mailer/one-click";
import { receiver } from "../../examples/receiver/receiver";
import { dataOf, execute } from "../graphql/client";
import { useApp } from "../support/app";
import { eventually } from "../support/eventually";
import { makeEndpoint } from "../webhooks/endpoint";
import { serve } from "./signed";

const app = useApp({
  newsletter: { confirmation: true },
  webhooks: { privateAddresses: "loopback" },
});

const mails: Email[] = [];
const smtp = new SMTPServer({
  disabledCommands: ["STARTTLS", "AUTH"],
  logger: false,
  onData: (stream, _session, callback) => {
    void text(stream).then(async (raw) => {
      mails.push(await PostalMime.parse(raw));
      callback();
    });
  },
});

type Served = Awaited<ReturnType<typeof serve>>;
let endpoint: Served;
let clicks: Served;

beforeAll(async () => {
  await once(smtp.listen(0, "127.0.0.1"), "listening");
  clicks = await serve(oneClick(app.url));
  const handle = mailer({
    smtp: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    from: { name: "Tea Shop", address: "tea@example.com" },
    orderPage: "https://shop.example.com/order",
    newsletter: { confirm: "https://shop.example.com/confirm", unsubscribe: `${clicks.url}/` },
    undeliverable: (error) => {
      throw error;
    },
  });
  let secret = "";
  const late: typeof handle = (event) => handle(event);
  endpoint = await serve((request, response) =>
    receiver({ secret, handle: late })(request, response),
  );
  ({ secret } = await makeEndpoint(app, endpoint.url, {}));
  app.shop.startDispatching();
});
afterAll(async () => {
  await endpoint.close();
  await clicks.close();
  await new Promise<void>((resolve) => smtp.close(resolve));
});

const mail = (number: number): Promise<Email> => eventually(() => mails[number - 1]);

const linkIn = ({ text = "" }: Email): URL => new URL(/https?:\S+/.exec(text)![0]);

const isActive = async (): Promise<unknown> => {
  const list = await dataOf<{ newsletterSubscribers: { data: unknown } }>(
    app,
    "{ newsletterSubscribers { data { email isActive } } }",
  );
  return list.newsletterSubscribers.data;
};

test("the mailer asks for a confirmation, and its welcome ends the subscription with one click", async () => {
  await execute(app, { query: 'mutation { subscribeToNewsletter(email: "ada@example.com") }' });
  const asked = await mail(1);
  expect(asked).toMatchObject({
    subject: "Please confirm your subscription",
    to: [{ address: "ada@example.com" }],
  });
  expect(asked.headers.map(({ key }) => key)).not.toContain("list-unsubscribe");
  const { origin, pathname, search, hash } = linkIn(asked);
  expect([origin, pathname, search]).toEqual(["https://shop.example.com", "/confirm", ""]);
  const query = `mutation { confirmSubscription(token: "${hash.slice(1)}") }`;
  expect((await execute(app, { query })).body).toEqual({ data: { confirmSubscription: true } });
  const welcome = await mail(2);
  const headers = new Map(welcome.headers.map(({ key, value }) => [key, value]));
  const link = linkIn(welcome).href;
  expect(headers.get("list-unsubscribe")).toBe(`<${link}>`);
  expect(headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  const active = { email: "ada@example.com", isActive: true };
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<button>")]);
  expect(await isActive()).toEqual([active]);
  for (const time of ["first", "second"]) {
    const click = { method: "POST", body: new URLSearchParams("List-Unsubscribe=One-Click") };
    expect([time, (await fetch(link, click)).status]).toEqual([time, 200]);
    expect(await isActive()).toEqual([{ ...active, isActive: false }]);
  }
});

test("a click that the shop does not hear of is answered so that it is tried again", async () => {
  const away = await serve(oneClick("http://127.0.0.1:1"));
  expect((await fetch(`${away.url}/?token=1.a`, { method: "POST" })).status).toBe(503);
  expect((await fetch(away.url, { method: "POST" })).status).toBe(400);
  await away.close();
});
