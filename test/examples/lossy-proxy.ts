import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** What becomes of an answer of the shop: it is passed on, the connection breaks in its place, or nothing comes. */
type Fate = "pass" | "lose" | "hold";

/** A way to the shop on which answers can get lost, after the shop has done what it was asked. */
export interface LossyProxy {
  readonly url: string;
  /** Methods and paths of what was sent so far. */
  readonly sent: string[];
  /** What becomes of the next answers, one after another; all others are passed on. */
  fates: Fate[];
  close(): Promise<void>;
}

export async function startLossyProxy(shopUrl: string): Promise<LossyProxy> {
  const server = createServer((incoming, outgoing) => {
    const fate = proxy.fates.shift() ?? "pass";
    const { method = "", url = "", headers } = incoming;
    proxy.sent.push(`${method} ${url}`);
    const request = forward(new URL(url, shopUrl), { method, headers, agent: false }, (answer) => {
      void buffer(answer).then((body) => {
        if (fate === "lose") incoming.socket.destroy();
        if (fate === "pass") outgoing.writeHead(answer.statusCode!, answer.headers).end(body);
      });
    });
    request.on("error", () => incoming.socket.destroy());
    incoming.pipe(request);
  });
  const proxy: LossyProxy = {
    url: "",
    sent: [],
    fates: [],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
}
