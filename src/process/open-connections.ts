import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { errorBody } from "../http/answer/error-body";
import { ClientConnection, statusOf, type ConnectionTimeouts } from "./client-connection";

/** Milliseconds that idle connections stay open during a drain, because a request may be on its way. */
const IDLE_GRACE = 1_000;
const IDLE_CHECK_INTERVAL = 50;
const DRAIN_TIMEOUT = 8_000;

/** The open connections of a server. Answers invalid requests, which don't reach the handler, in the error shape. */
export class OpenConnections {
  private readonly connections = new Map<Socket, ClientConnection>();

  constructor(
    private readonly server: Server,
    private readonly handler: RequestListener,
    timeouts: ConnectionTimeouts,
  ) {
    server.on("connection", (socket) => {
      this.connections.set(socket, new ClientConnection(socket, timeouts));
      socket.once("close", () => this.connections.delete(socket));
    });
    const serve = (request: IncomingMessage, response: ServerResponse): void =>
      this.serve(request, response);
    server.on("request", serve);
    server.on("checkExpectation", serve);
    server.on("connect", (request, socket) => {
      // Node no longer handles errors of this socket, and an unhandled one would end the process.
      socket.on("error", () => undefined);
      const refusal = errorBody(404, `Cannot CONNECT ${request.url}`);
      this.connections.get(socket as Socket)?.refuse(refusal);
    });
    server.on("clientError", (error, socket) => {
      this.connections.get(socket as Socket)?.refuse(errorBody(statusOf(error)));
    });
  }

  /** Closes each connection when its answers are sent, and the remaining ones after {@link DRAIN_TIMEOUT}. */
  async drain(): Promise<void> {
    for (const connection of this.connections.values()) connection.end();
    const closed = new Promise<void>((resolve) => {
      // The close() of http would close idle connections at once, although requests may be on their way.
      NetServer.prototype.close.call(this.server, () => resolve());
    });
    // Waits until requests that have just arrived are read: closing would cut them off.
    const closeIdle = (): void => void setImmediate(() => this.closeIdle());
    const grace = setTimeout(() => {
      closeIdle();
      idleCheck = setInterval(closeIdle, IDLE_CHECK_INTERVAL);
    }, IDLE_GRACE);
    let idleCheck: NodeJS.Timeout | undefined;
    const limit = setTimeout(() => this.server.closeAllConnections(), DRAIN_TIMEOUT);
    await closed;
    for (const timer of [grace, idleCheck, limit]) clearTimeout(timer);
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.get(request.socket);
    if (!connection?.begin(request, response)) return;
    request.url = originForm(String(request.url));
    this.handler(request, response);
  }

  /**
   * Closes the idle connections, but none while any answer is under way: Node takes a connection for idle before
   * the client has read the answer.
   */
  private closeIdle(): void {
    for (const { isAnswering } of this.connections.values()) if (isAnswering) return;
    this.server.closeIdleConnections();
    for (const [socket, { isUnused }] of this.connections) if (isUnused) socket.destroy();
  }
}

/**
 * The path and query of a request's target, which may also be an absolute URL (RFC 9112 section 3.2.2).
 * Anything else becomes a path that matches no route, because the router can't handle it.
 */
function originForm(target: string): string {
  if (target.startsWith("/") || target === "*") return target;
  if (!URL.canParse(target)) return `/${target}`;
  const authority = target.indexOf("://") + "://".length;
  const path = target.slice(authority).replace(/[^/?]*/, "");
  return path.startsWith("/") ? path : `/${path}`;
}
