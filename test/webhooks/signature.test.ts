import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { newSecret } from "../../src/vocabulary/webhook-secret";
import { signatureHeaders } from "../../src/webhooks/signature";

const message = (body = '{"type":"order.placed"}') => ({
  id: "evt_7",
  timestamp: new Date(),
  body,
});

/** What a receiver who knows this secret makes of the message. */
const received = (secret: string, body: string, headers: Record<string, string>): unknown =>
  new Webhook(secret).verify(body, headers);

test("the example of the libraries of Standard Webhooks has their signature", () => {
  const headers = signatureHeaders(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: new Date(1_614_265_330_999),
    body: '{"test": 2432232314}',
  });

  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test.each([
  ["plain text", '{"type":"order.placed"}'],
  ["texts of other languages", '{"name":"Grüner Tee 🍵 \\ud800"}'],
  ["dots", '{"a":"1.2.3"}'],
])("a receiver accepts a body with %s", (_, body) => {
  const secret = newSecret();
  const headers = signatureHeaders([secret], message(body));

  expect(received(secret, body, headers)).toEqual(JSON.parse(body));
});

test("a receiver accepts either of two secrets, and the newest signature comes first", () => {
  const [newer, older] = [newSecret(), newSecret()];
  const sent = message();
  const headers = signatureHeaders([newer, older], sent);

  for (const secret of [newer, older]) {
    expect(received(secret, sent.body, headers)).toEqual({ type: "order.placed" });
  }
  const [first, second, ...more] = headers["webhook-signature"]!.split(" ");
  expect(first).toBe(signatureHeaders([newer], sent)["webhook-signature"]);
  expect(second).toBe(signatureHeaders([older], sent)["webhook-signature"]);
  expect(more).toEqual([]);
});

test.each<[string, (headers: Record<string, string>) => Record<string, string>]>([
  ["id", (headers) => ({ ...headers, "webhook-id": "evt_8" })],
  [
    "time",
    (headers) => ({
      ...headers,
      "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1),
    }),
  ],
])("a receiver refuses another %s", (_, changed) => {
  const secret = newSecret();
  const sent = message();
  const headers = signatureHeaders([secret], sent);

  expect(() => received(secret, sent.body, changed(headers))).toThrow(WebhookVerificationError);
});

test("a receiver refuses another body, and another secret", () => {
  const secret = newSecret();
  const sent = message();
  const headers = signatureHeaders([secret], sent);

  expect(() => received(secret, `${sent.body} `, headers)).toThrow(WebhookVerificationError);
  expect(() => received(newSecret(), sent.body, headers)).toThrow(WebhookVerificationError);
});

test("secrets are 32 random bytes", () => {
  const secrets = Array.from({ length: 100 }, newSecret);

  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
  }
  expect(new Set(secrets).size).toBe(secrets.length);
});
