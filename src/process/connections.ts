import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { errorBody, type ErrorBody, type ErrorStatus } from "../http/answer/error-body";
import { SECURITY_HEADERS } from "../http/answer/headers";

/** In milliseconds. */
export interface ConnectionTimeouts {
  /** From the head of a request until the client has read 10 MB of the answer, or all that is written of it so far. */
  readonly answer: number;
  /** Between requests. Must be longer than load balancers keep idle connections, or they will reuse a closed one. */
  readonly idle: number;
}

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
 * How long a refused client may go on sending, in milliseconds. A connection that is closed while it holds
 * unread bytes is reset, and the client loses answers that it has not read yet (RFC 9112 section 9.6).
 */
const LINGER = 1_000;

/** The first 10 MB of an answer must be read within the time for any answer. Each further MB adds a second. */
const MB = 1_000_000;
const FREE_MB = 10;
const EXTRA = 1_000;

/** A client's connection and its unfinished answers, in the order of their requests. */
class ClientConnection {
  private readonly unfinished: ServerResponse[] = [];
  private latest: IncomingMessage | undefined;
  private isEnding = false;
  private isEndedByClient = false;
  private closing: ServerResponse | undefined;
  private refusal: ErrorBody | undefined;

  constructor(
    private readonly socket: Socket,
    private readonly timeouts: ConnectionTimeouts,
  ) {
    socket.once("close", () => this.cutOffQueued());
  }

  /** Whether no byte was ever received; Node does not count such a connection as idle. */
  get isUnused(): boolean {
    return this.socket.bytesRead === 0;
  }

  /** Whether a request waits for its answer, or for the rest of it to be sent. */
  get isAnswering(): boolean {
    return this.unfinished.length > 0;
  }

  /**
   * Registers a request. Returns false if it must not be served, because an earlier request has asked to
   * close the connection, or an earlier answer has announced it (RFC 9112 section 9.6).
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.isEndedByClient || this.closing?.headersSent) return false;
    this.isEndedByClient = !response.shouldKeepAlive;
    this.unfinished.push(response);
    this.latest = request;
    // Node drops data that arrives in the same packet as an upgrade request, which is never accepted.
    if (this.isEnding || request.headers.upgrade !== undefined) this.end();
    const stopLimit = this.limitAnswer(response);
    response.once("close", () => {
      stopLimit();
      this.unfinished.splice(this.unfinished.indexOf(response), 1);
      if (this.refusal) this.refuseAfterAnswers(this.refusal);
      // If the connection is idle now, Node has just set a timeout of its own.
      else if (this.socket.timeout) this.socket.setTimeout(this.timeouts.idle);
    });
    return true;
  }

  /** Closes the connection after the last unfinished answer, the only one with `Connection: close`. */
  end(): void {
    this.isEnding = true;
    const last = this.unfinished.at(-1);
    // An answer that has begun can no longer say that it is the last.
    if (!last || last.headersSent) return;
    if (this.closing) this.closing.shouldKeepAlive = true;
    last.shouldKeepAlive = false;
    this.closing = last;
  }

  /**
   * Refuses the last bytes, which are not a valid request, and closes the connection. Unfinished answers
   * are sent before the refusal; those that take too long are cut off.
   */
  refuse(refusal: ErrorBody): void {
    if (this.refusal || !this.socket.writable) return;
    this.refusal = refusal;
    // If it went on reading, Node would close the connection as soon as the client ends its side.
    this.socket.pause();
    this.limit(this.timeouts.answer, () => this.socket.resetAndDestroy());
    this.refuseAfterAnswers(refusal);
  }

  /** Cuts the client off if it takes too long to read an answer. Returns a function that lifts the limit. */
  private limitAnswer(response: ServerResponse): () => void {
    const before = this.bytesTaken;
    let extended = 0;
    const onLimit = (): void => {
      const megabytes = Math.floor((this.bytesTaken - before) / MB) - FREE_MB;
      const extra = megabytes * EXTRA - extended;
      // The limit is for clients only: the service itself may take longer to begin its answer, and to go on with it.
      if (!response.headersSent || this.socket.writableLength === 0) limit.refresh();
      else if (extra > 0) {
        extended += extra;
        limit = setTimeout(onLimit, extra);
      }
      // A reset also frees the system's buffers for a client that does not read.
      else this.socket.resetAndDestroy();
    };
    let limit = setTimeout(onLimit, this.timeouts.answer);
    return () => clearTimeout(limit);
  }

  /** Bytes that the operating system has taken. The client has read most of them. */
  private get bytesTaken(): number {
    return this.socket.bytesWritten - this.socket.writableLength;
  }

  /** Closes the answers behind the current one when the client is gone. Node closes only the current one. */
  private cutOffQueued(): void {
    const queued = this.unfinished.filter(({ socket }) => socket === null);
    for (const response of queued) response.destroy().emit("close");
  }

  private refuseAfterAnswers(refusal: ErrorBody): void {
    const [next] = this.unfinished;
    // The refused request is the incomplete one whose answer has not begun.
    if (next && (next.req.complete || next.headersSent)) return;
    const isAnswered = !next && this.latest?.complete === false;
    if (isAnswered) this.socket.end();
    else this.socket.end(lastAnswer(refusal));
    this.socket.resume();
    this.limit(LINGER, () => this.socket.destroy());
  }

  private limit(milliseconds: number, cutOff: () => void): void {
    const limit = setTimeout(cutOff, milliseconds);
    this.socket.once("close", () => clearTimeout(limit));
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

const statuses: Readonly<Record<string, ErrorStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** The status for bytes that are not an HTTP request, or that came too slowly. */
const statusOf = (error: NodeJS.ErrnoException): ErrorStatus => statuses[String(error.code)] ?? 400;

/** An answer in the error shape, as the text that is sent to a client before its connection is closed. */
function lastAnswer(body: ErrorBody): string {
  const json = JSON.stringify(body);
  return [
    `HTTP/1.1 ${body.statusCode} ${body.error}`,
    ...SECURITY_HEADERS.map(([name, value]) => `${name}: ${value}`),
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(json)}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
    "",
    json,
  ].join("\r\n");
}
