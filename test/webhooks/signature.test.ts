import { newSecret } from "../../src/vocabulary/webhooks";
import { signatureHeaders } from "../../src/webhooks/message";

// What receivers make of signatures is seen wherever tests receive messages (told.ts).
test("the example of the libraries of Standard Webhooks has their signature, beside that of an older secret", () => {
  const message = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: new Date(1_614_265_330_999),
    body: '{"test": 2432232314}',
  };
  const older = newSecret();
  const olderSignature = signatureHeaders([older], message)["webhook-signature"];
  expect(signatureHeaders(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", older], message)).toEqual({
    "webhook-id": message.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": `v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= ${olderSignature}`,
  });
});

test("secrets are 32 random bytes", () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Set(secrets).size).toBe(secrets.length);
});
