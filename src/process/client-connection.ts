import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ErrorBody } from "../http/error-body";
import { lastAnswer } from "./client-error";

/**
 * Added to the idle time-out, in milliseconds: a request may be sent at the last moment, and closing the
 * connection would cut it off.
 */
const IDLE_MARGIN = 2_000;

/**
 * How long a refused client may go on sending, in milliseconds. A connection that is closed while it holds
 * unread bytes is reset, and the client loses answers that it has not read yet (RFC 9112 section 9.6).
 */
const LINGER = 1_000;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A client's connection, and the answers under way on it in the order of their requests. */
export class ClientConnection {
  private readonly exchanges: Exchange[] = [];
  private latest: IncomingMessage | undefined;
  private isEnding = false;
  private isEndedByClient = false;
  private closing: ServerResponse | undefined;
  private refusal: ErrorBody | undefined;

  constructor(
    private readonly socket: Socket,
    /** Milliseconds from the head of a request until the client has read its answer, once that has begun. */
    private readonly answerTimeout: number,
  ) {}

  /** Whether nothing was ever received on it; Node does not count such a connection as idle. */
  get isUnused(): boolean {
    return this.socket.bytesRead === 0;
  }

  /**
   * Adds a request whose answer is under way from now on. Returns false if an earlier request has asked to
   * close the connection: this one must not be served (RFC 9112 section 9.6).
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.isEndedByClient) return false;
    this.isEndedByClient = !response.shouldKeepAlive;
    const exchange = { request, response };
    this.exchanges.push(exchange);
    this.latest = request;
    // Node drops what arrives in the same packet as an offer to upgrade, which this service never accepts.
    if (this.isEnding || request.headers.upgrade !== undefined) this.end();
    const limit = setTimeout(() => {
      // A reset also frees what the system still buffers for a client that does not read.
      if (response.headersSent) this.socket.resetAndDestroy();
      else limit.refresh();
    }, this.answerTimeout);
    response.once("close", () => {
      clearTimeout(limit);
      this.exchanges.splice(this.exchanges.indexOf(exchange), 1);
      if (this.refusal) this.refuseInTurn(this.refusal);
      else if (this.exchanges.length === 0 && this.socket.timeout) {
        this.socket.setTimeout(this.socket.timeout + IDLE_MARGIN);
      }
    });
    return true;
  }

  /** Closes the connection after the last answer that is under way. That answer says so, and no other does. */
  end(): void {
    this.isEnding = true;
    const last = this.exchanges.at(-1)?.response;
    if (!last || last === this.closing) return;
    if (this.closing && !this.closing.headersSent) this.closing.shouldKeepAlive = true;
    last.shouldKeepAlive = false;
    this.closing = last;
  }

  /**
   * Refuses what came last, which is not a request, and closes the connection. The answers that are under
   * way are sent before; those that do not end in time are cut off.
   */
  refuse(refusal: ErrorBody): void {
    if (!this.socket.writable) this.socket.destroy();
    if (this.refusal || this.socket.destroyed) return;
    this.refusal = refusal;
    this.socket.pause(); // reads nothing more: Node would close the connection as soon as the client ends its side
    const limit = setTimeout(() => this.socket.resetAndDestroy(), this.answerTimeout);
    this.socket.once("close", () => clearTimeout(limit));
    this.refuseInTurn(refusal);
  }

  private refuseInTurn(refusal: ErrorBody): void {
    const [next] = this.exchanges;
    // If the next request never became complete, it is the one that is refused, unless its answer has
    // begun.
    if (next && (next.request.complete || next.response.headersSent)) return;
    const isAnswered = !next && this.latest?.complete === false;
    if (isAnswered) this.socket.end();
    else this.socket.end(lastAnswer(refusal));
    this.socket.resume();
    const limit = setTimeout(() => this.socket.destroy(), LINGER);
    this.socket.once("close", () => clearTimeout(limit));
  }
}
