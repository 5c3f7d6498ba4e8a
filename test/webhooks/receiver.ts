import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { connect, type AddressInfo, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { WebhookSender } from "../../src/webhooks/sender";
import { eventually } from "../support/eventually";

interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server on 127.0.0.1, and what has come to it. */
interface Listener {
  readonly port: number;
  /** All connections so far. */
  readonly sockets: readonly Socket[];
  /** Resolves when every connection that was opened before has been counted. */
  counted(): Promise<void>;
  close(): Promise<void>;
}

export interface Receiver extends Listener {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

type Handler = (response: ServerResponse, request: ReceivedRequest) => unknown;

const listeners = new Set<Listener>();
const senders: WebhookSender[] = [];

/** A sender to this machine, unless it is told otherwise. */
export function newSender(
  options: ConstructorParameters<typeof WebhookSender>[1] = {},
  privateAddresses: ConstructorParameters<typeof WebhookSender>[0]["privateAddresses"] = "loopback",
): WebhookSender {
  const sender = new WebhookSender({ privateAddresses }, options);
  senders.push(sender);
  return sender;
}

/** Closes what a test has started. */
export async function closeReceivers(): Promise<void> {
  for (const sender of senders.splice(0)) await sender.close();
  for (const listener of listeners) await listener.close();
}

/** Starts a receiver of webhooks. Each request is answered when its body has come. */
export async function startReceiver(
  answer: Handler = (response) => response.end("thank you"),
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "", headers } = request;
    const received = { method, path: url, headers, body: await text(request) };
    requests.push(received);
    answer(response, received);
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    receive(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const listener = await listening(server);
  return { ...listener, url: `http://127.0.0.1:${listener.port}/hook?shop=tea`, requests };
}

/** Makes the server listen, and counts its connections. */
export async function listening(server: Server): Promise<Listener> {
  const sockets: Socket[] = [];
  server.on("connection", (socket) => {
    socket.on("error", () => undefined);
    sockets.push(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const listener: Listener = {
    port,
    sockets,
    // Connections are accepted in the order in which they came.
    counted: async () => {
      const own = connect(port, "127.0.0.1");
      await once(own, "connect");
      const isOwn = ({ remotePort }: Socket): boolean => remotePort === own.localPort;
      await eventually(() => sockets.some(isOwn));
      sockets.splice(sockets.findIndex(isOwn), 1);
      own.destroy();
    },
    close: async () => {
      listeners.delete(listener);
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  listeners.add(listener);
  return listener;
}
