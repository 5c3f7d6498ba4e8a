import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/**
 * What becomes of an answer of the shop: it is passed on, the connection breaks in its place or in its middle,
 * nothing comes, or a page of the proxy's own with this status.
 */
type Fate = "pass" | "lose" | "cut" | "hold" | 413 | 502;

const HTML = { "content-type": "text/html" };

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
        if (fate === "hold") return;
        if (fate === "lose") incoming.socket.destroy();
        else if (typeof fate === "number") outgoing.writeHead(fate, HTML).end("<p>Not so.</p>");
        else {
          outgoing.writeHead(answer.statusCode!, answer.headers);
          if (fate === "pass") outgoing.end(body);
          else outgoing.write(body.subarray(0, 20), () => incoming.socket.destroy());
        }
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
