import { lookup } from "node:dns/promises";
import { setMaxListeners } from "node:events";
import { Agent } from "undici";
import { answerText, failureOf, retryAfter, WebhookFailure } from "./answer";
import { guardedConnector, isLoopback, isPublic, type Lookup } from "./guarded-connector";

interface SenderSettings {
  /** Which addresses receivers may have besides public ones: none, those of this machine, or any. */
  readonly privateAddresses: "off" | "loopback" | "on";
}

interface SenderOptions {
  /** Milliseconds for a connection, and then again for the answer. */
  readonly timeout?: number;
  readonly lookup?: Lookup;
}

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts the try. */
  readonly signal?: AbortSignal;
  /** The request is not written later than this, by `performance.now()`. */
  readonly until?: number;
}

export interface Answer {
  /** Null if no answer came. */
  readonly status: number | null;
  /** Why no whole answer came, for people; null if one did. */
  readonly fault: string | null;
  /** The first 1,000 characters of the answer's body. */
  readonly answer: string;
  /** Milliseconds for which the receiver asks to wait. */
  readonly retryAfter: number | null;
}

/** The part of an answer that has arrived. */
interface Received {
  status: number | null;
  retryAfter: number | null;
  readonly chunks: Uint8Array[];
}

const TIMEOUT = 15_000;

/** Milliseconds for which a connection without a request may stay open, even if the receiver offers more. */
const KEEP_ALIVE = 4_000;

/** The bytes of an answer that are read before its connection is closed. */
const READ_BYTES = 64 * 1024;

const allowed: Record<SenderSettings["privateAddresses"], (address: string) => boolean> = {
  off: isPublic,
  loopback: (address) => isPublic(address) || isLoopback(address),
  on: () => true,
};

/** Sends messages to receivers, whose URLs, addresses and answers may be hostile. */
export class WebhookSender {
  /** Opens as many connections as there are messages at a time: the queue bounds these for each endpoint. */
  private readonly agent: Agent;
  private readonly timeout: number;
  private readonly closing = new AbortController();

  constructor(
    { privateAddresses }: SenderSettings,
    { timeout = TIMEOUT, lookup: lookUp = lookupAll }: SenderOptions = {},
  ) {
    this.timeout = timeout;
    this.agent = new Agent({
      connect: guardedConnector({
        isAllowed: allowed[privateAddresses],
        lookup: lookUp,
        timeout,
        signal: this.closing.signal,
      }),
      keepAliveTimeout: KEEP_ALIVE,
      keepAliveMaxTimeout: KEEP_ALIVE,
      // The sender's own limit covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Sends a message once, and follows no redirect. It never rejects: the answer says what went wrong. Undefined if the
   * message was not sent because its connection opened too late; that stays open for a moment.
   */
  async send(request: WebhookRequest): Promise<Answer | undefined> {
    const received: Received = { status: null, retryAfter: null, chunks: [] };
    const answer = (fault: string | null): Answer => ({
      ...{ status: received.status, fault, retryAfter: received.retryAfter },
      answer: answerText(Buffer.concat(received.chunks)),
    });
    const stop = new AbortController();
    const cancel = (): void => stop.abort(new WebhookFailure("cancelled"));
    const timedOut = new WebhookFailure(`timed out after ${this.timeout / 1000} s`);
    const timer = setTimeout(() => stop.abort(timedOut), this.timeout);
    const signals = [this.closing.signal, ...(request.signal ? [request.signal] : [])];
    for (const signal of signals) {
      if (signal.aborted) cancel();
      setMaxListeners(Infinity, signal); // many share it, which Node takes for a leak
      signal.addEventListener("abort", cancel);
    }
    try {
      const written = (): void => void timer.refresh();
      await exchange(this.agent, request, { stop: stop.signal, written, received });
      return answer(null);
    } catch (error) {
      return error instanceof TooLate ? undefined : answer(failureOf(error));
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", cancel);
    }
  }

  /** Closes all connections at once. Tries that are under way fail. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.agent.destroy();
  }
}

const lookupAll: Lookup = (name) => lookup(name, { all: true });

class TooLate extends Error {}

/** Sends the request, and stores the parts of the answer as they arrive. Rejects at once when it is stopped. */
const exchange = (
  agent: Agent,
  { url, headers, body, until = Infinity }: WebhookRequest,
  {
    stop,
    written,
    received,
  }: {
    readonly stop: AbortSignal;
    /** Is called when the request is written. */
    readonly written: () => void;
    readonly received: Received;
  },
): Promise<void> =>
  new Promise((resolve, reject) => {
    const { origin, pathname, search } = httpUrl(url);
    stop.throwIfAborted();
    stop.addEventListener("abort", () => reject(stop.reason as Error));
    let bytes = 0;
    const request = {
      origin,
      path: `${pathname}${search}`,
      method: "POST" as const,
      headers: {
        ...headers,
        "content-type": "application/json",
        "user-agent": "tea-shop-webhooks",
        "accept-encoding": "identity",
      },
      body,
    };
    agent.dispatch(request, {
      // Called right before the request is written. An error keeps it from that, and leaves the connection open.
      onRequestStart(controller) {
        if (stop.aborted || performance.now() > until) throw new TooLate();
        stop.addEventListener("abort", () => controller.abort(stop.reason as Error));
        written();
      },
      onResponseStart(_controller, status, fields) {
        if (status < 200) return;
        received.status = status;
        received.retryAfter = retryAfter(fields["retry-after"], new Date());
      },
      onResponseData(controller, chunk) {
        received.chunks.push(chunk);
        bytes += chunk.byteLength;
        if (bytes < READ_BYTES) return;
        resolve();
        // This closes the connection.
        controller.abort(new Error("The rest is not read"));
      },
      onResponseEnd() {
        resolve();
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    });
  });

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new WebhookFailure("not an http or https URL");
}
