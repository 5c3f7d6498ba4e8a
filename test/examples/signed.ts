import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, Server, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export const newSecret = (): string => `whsec_${randomBytes(24).toString("base64")}`;

export interface Sent {
  readonly id: string;
  readonly body: string;
  readonly secret: string;
  /** Seconds by which the time of the message is later than now. */
  readonly later: number;
  /** Instead of the right one. */
  readonly signature: string;
}

/** A request as the shop sends it, signed without a package. */
export function signed({
  id = randomUUID(),
  body = "",
  secret = "",
  later = 0,
  ...own
}: Partial<Sent>) {
  const timestamp = String(Math.floor(Date.now() / 1000) + later);
  const { signature = signatureOf(secret, `${id}.${timestamp}.${body}`) } = own;
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signature,
    },
    body,
  };
}

export function signatureOf(secret: string, text: string): string {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}

/** A body as the shop writes it. */
export const bodyOf = (type: string, data: object): string =>
  JSON.stringify({ type, timestamp: new Date().toISOString(), data });

/** Serves an endpoint at a port of its own. */
export async function serve(listener: Server | RequestListener) {
  const server = listener instanceof Server ? listener : createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
