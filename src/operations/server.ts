import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type AddressInfo, type Socket } from "node:net";
import { answerClientError } from "./client-error";

/** Where to listen. */
export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** undefined is all interfaces. */
  readonly host: string | undefined;
}

/** A server that listens. */
export interface RunningServer {
  /** Base address for clients on this machine, such as `http://localhost:3000`. */
  readonly address: string;
  /**
   * Stops accepting connections, answers what is under way and what still comes on live connections
   * with `Connection: close`, and resolves when all connections are closed: those still open after
   * 8 s are cut.
   */
  readonly drain: () => Promise<void>;
}

/** The address can't be listened on; the message says why and what to do. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** How long clients may take, in milliseconds: whoever is slower is closed. */
export interface ClientTimeouts {
  /** For the head of a request, and for all of it; looked at once a second. */
  readonly request: number;
  /** From the head of a request until its answer, once begun, is taken: clients that do not read hold memory. */
  readonly answer: number;
  /** Between requests, as clients are told; a load balancer's own limit must be no longer. */
  readonly idle: number;
}

/** Every slow client is closed within 15 s. */
const TIMEOUTS: ClientTimeouts = { request: 10_000, answer: 13_000, idle: 10_000 };
const CHECKING_INTERVAL = 1_000;

/** For a request that is sent in the last moment: closing the connection would cut it. */
const IDLE_MARGIN = 2_000;

/** How long idle connections stay open while draining: a request may be on its way on each. */
const IDLE_GRACE = 1_000;
const IDLE_CHECK_INTERVAL = 50;
const DRAIN_TIMEOUT = 8_000;

/**
 * Serves a handler over HTTP.
 *
 * @throws ListenError
 */
export async function startServer(
  handler: RequestListener,
  options: ListenOptions,
  timeouts = TIMEOUTS,
): Promise<RunningServer> {
  const server = createServer({
    connectionsCheckingInterval: Math.min(CHECKING_INTERVAL, timeouts.request),
    headersTimeout: timeouts.request,
    requestTimeout: timeouts.request,
    keepAliveTimeout: timeouts.idle,
  });
  const connections = new Connections(server, handler, timeouts.answer);
  await listen(server, options);
  let drained: Promise<void> | undefined;
  return {
    address: addressOf(server, options.host),
    drain: () => (drained ??= connections.drain()),
  };
}

/** The open connections and unfinished answers of a server. */
class Connections {
  private readonly sockets = new Set<Socket>();
  private readonly responses = new Map<Socket, ServerResponse>();
  private draining = false;

  constructor(
    private readonly server: Server,
    handler: RequestListener,
    answerTimeout: number,
  ) {
    server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
    });
    server.on("request", (request, response) => {
      const { socket } = request;
      this.responses.set(socket, response);
      const limit = setTimeout(() => {
        // A reset also frees what the system still holds for whoever does not read.
        if (response.headersSent) socket.resetAndDestroy();
        else limit.refresh();
      }, answerTimeout);
      response.once("close", () => {
        clearTimeout(limit);
        if (this.responses.get(socket) !== response) return;
        this.responses.delete(socket);
        if (socket.timeout) socket.setTimeout(socket.timeout + IDLE_MARGIN);
      });
      if (this.draining) response.shouldKeepAlive = false;
      handler(request, response);
    });
    server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      const answered = this.responses.get(socket as Socket)?.headersSent ?? false;
      if (socket.writable && !answered) answerClientError(error, socket as Socket);
      else socket.destroy();
    });
  }

  async drain(): Promise<void> {
    this.draining = true;
    for (const response of this.responses.values()) response.shouldKeepAlive = false;
    const closed = new Promise<void>((resolve) => {
      // http's own close() would cut idle connections at once, and with them requests on their way.
      NetServer.prototype.close.call(this.server, () => resolve());
    });
    const grace = setTimeout(() => {
      this.closeIdle();
      idleCheck = setInterval(() => this.closeIdle(), IDLE_CHECK_INTERVAL);
    }, IDLE_GRACE);
    let idleCheck: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => this.server.closeAllConnections(), DRAIN_TIMEOUT);
    await closed;
    for (const timer of [grace, idleCheck, limit]) clearTimeout(timer);
  }

  private closeIdle(): void {
    this.server.closeIdleConnections();
    // Node does not count connections as idle on which nothing has ever come.
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}

async function listen(server: Server, { port, host }: ListenOptions): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host }, () => {
        server.off("error", reject);
        resolve();
      });
    });
  } catch (error) {
    throw new ListenError(listenFault(error as NodeJS.ErrnoException, port, host), {
      cause: error,
    });
  }
}

function listenFault(error: NodeJS.ErrnoException, port: number, host = "all interfaces"): string {
  switch (error.code) {
    case "EADDRINUSE":
      return `Port ${port} is already in use: stop the program that listens there, or set PORT to another one`;
    case "EACCES":
      return `Port ${port} needs privileges that this process lacks: set PORT to one from 1024 up`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `HOST ${host} is no address of this machine`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${error.message}`;
  }
}

function addressOf(server: Server, host: string | undefined): string {
  const { port, family, address } = server.address() as AddressInfo;
  if (host === undefined || ["::", "0.0.0.0"].includes(address)) return `http://localhost:${port}`;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
