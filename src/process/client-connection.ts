import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ErrorBody } from "../http/error-body";
import { lastAnswer } from "./client-error";

/** For a request that is sent in the last moment: closing the connection would cut it. */
const IDLE_MARGIN = 2_000;

/**
 * How long a refused client may go on sending, in milliseconds: closed at once, a connection with bytes
 * that nobody has read is reset, and with it the answers that the client has not read (RFC 9112
 * section 9.6).
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
    /** Milliseconds from the head of a request until its answer, once begun, is taken. */
    private readonly answerTimeout: number,
  ) {}

  /** Whether nothing has ever come; Node does not count these as idle. */
  get isUnused(): boolean {
    return this.socket.bytesRead === 0;
  }

  /**
   * Adds an answer that is under way from now on. False where the client has asked for the connection's
   * end before: such a request must not be served (RFC 9112 section 9.6).
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.isEndedByClient) return false;
    this.isEndedByClient = !response.shouldKeepAlive;
    const exchange = { request, response };
    this.exchanges.push(exchange);
    this.latest = request;
    // Node drops what comes in one packet with an offer to upgrade, which nobody takes up.
    if (this.isEnding || request.headers.upgrade !== undefined) this.end();
    const limit = setTimeout(() => {
      // A reset also frees what the system still holds for whoever does not read.
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

  /** Ends the connection with the last answer under way: that one says so, and no other. */
  end(): void {
    this.isEnding = true;
    const last = this.exchanges.at(-1)?.response;
    if (!last || last === this.closing) return;
    if (this.closing && !this.closing.headersSent) this.closing.shouldKeepAlive = true;
    last.shouldKeepAlive = false;
    this.closing = last;
  }

  /**
   * Refuses what came last and closes the connection, after all answers under way: bytes that are no
   * request take the place of none. Answers that do not end in time are cut.
   */
  refuse(refusal: ErrorBody): void {
    if (!this.socket.writable) this.socket.destroy();
    if (this.refusal || this.socket.destroyed) return;
    this.refusal = refusal;
    this.socket.pause(); // nothing more is read; Node would close the connection at the client's end
    const limit = setTimeout(() => this.socket.resetAndDestroy(), this.answerTimeout);
    this.socket.once("close", () => clearTimeout(limit));
    this.refuseInTurn(refusal);
  }

  private refuseInTurn(refusal: ErrorBody): void {
    const [next] = this.exchanges;
    // A request that never became complete is what is refused, unless its answer has begun already.
    if (next && (next.request.complete || next.response.headersSent)) return;
    const isAnswered = !next && this.latest?.complete === false;
    if (isAnswered) this.socket.end();
    else this.socket.end(lastAnswer(refusal));
    this.socket.resume();
    const limit = setTimeout(() => this.socket.destroy(), LINGER);
    this.socket.once("close", () => clearTimeout(limit));
  }
}
