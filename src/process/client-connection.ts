import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ErrorBody, ErrorStatus } from "../http/answer/error-body";
import { SECURITY_HEADERS } from "../http/answer/headers";

/**
 * How long a refused client may go on sending, in milliseconds. A connection that is closed while it holds
 * unread bytes is reset, and the client loses answers that it has not read yet (RFC 9112 section 9.6).
 */
const LINGER = 1_000;

/** The first 10 MB of an answer must be read within the time for any answer. Each further MB adds a second. */
const MB = 1_000_000;
const FREE_MB = 10;
const EXTRA = 1_000;

/** In milliseconds. */
export interface ConnectionTimeouts {
  /** From the head of a request until the client has read 10 MB of the answer: unread answers occupy memory. */
  readonly answer: number;
  /** Between requests. Must be longer than load balancers keep idle connections, or they will reuse a closed one. */
  readonly idle: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A client's connection and its unfinished answers, in the order of their requests. */
export class ClientConnection {
  private readonly exchanges: Exchange[] = [];
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
    return this.exchanges.length > 0;
  }

  /**
   * Registers a request. Returns false if it must not be served, because an earlier request has asked to
   * close the connection, or an earlier answer has announced it (RFC 9112 section 9.6).
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.isEndedByClient || this.closing?.headersSent) return false;
    this.isEndedByClient = !response.shouldKeepAlive;
    const exchange = { request, response };
    this.exchanges.push(exchange);
    this.latest = request;
    // Node drops data that arrives in the same packet as an upgrade request, which is never accepted.
    if (this.isEnding || request.headers.upgrade !== undefined) this.end();
    const stopLimit = this.limitAnswer(response);
    response.once("close", () => {
      stopLimit();
      this.exchanges.splice(this.exchanges.indexOf(exchange), 1);
      if (this.refusal) this.refuseAfterAnswers(this.refusal);
      // If the connection is idle now, Node has just set a timeout of its own.
      else if (this.socket.timeout) this.socket.setTimeout(this.timeouts.idle);
    });
    return true;
  }

  /** Closes the connection after the last unfinished answer, the only one with `Connection: close`. */
  end(): void {
    this.isEnding = true;
    const last = this.exchanges.at(-1)?.response;
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
      // The limit is for clients only: the service itself may begin its answer later.
      if (!response.headersSent) limit.refresh();
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
    const queued = this.exchanges.filter(({ response }) => response.socket === null);
    for (const { response } of queued) response.destroy().emit("close");
  }

  private refuseAfterAnswers(refusal: ErrorBody): void {
    const [next] = this.exchanges;
    // The refused request is the incomplete one whose answer has not begun.
    if (next && (next.request.complete || next.response.headersSent)) return;
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

const statuses: Readonly<Record<string, ErrorStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** The status for bytes that are not an HTTP request, or that came too slowly. */
export const statusOf = (error: NodeJS.ErrnoException): ErrorStatus =>
  statuses[String(error.code)] ?? 400;

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
