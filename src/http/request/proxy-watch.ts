import type { RequestHandler } from "express";

/** The requests by which it is judged. One proves nothing: a client may send any header. */
const WINDOW = 1000;

/**
 * Watches whether `TRUST_PROXY` fits what the proxies send: a request that came through so many proxies has as many
 * entries in `X-Forwarded-For` or more, and one that came through none has usually no such header.
 */
export class ProxyWatch {
  /** Of the last requests, whether each one does not fit; a ring. */
  private readonly unfit = new Uint8Array(WINDOW);
  private seen = 0;
  private count = 0;
  private warned = false;

  /** `warn` is called once, as soon as most of the last requests don't fit. */
  constructor(
    private readonly trustProxy: number,
    private readonly warn: (message: string) => void,
  ) {}

  /** Whether most of the last 1,000 requests don't fit; false before there were so many. */
  get isUnfit(): boolean {
    return this.seen >= WINDOW && this.count > WINDOW / 2;
  }

  /** Looks at each request that it gets. */
  readonly handler: RequestHandler = ({ headers }, _response, next) => {
    this.note(headers["x-forwarded-for"]);
    next();
  };

  private note(header: string | string[] | undefined): void {
    const entries = header === undefined ? 0 : String(header).split(",").length;
    const isUnfit = this.trustProxy === 0 ? entries > 0 : entries < this.trustProxy;
    const place = this.seen % WINDOW;
    this.count += Number(isUnfit) - (this.unfit[place] ?? 0);
    this.unfit[place] = Number(isUnfit);
    this.seen += 1;
    if (this.warned || !this.isUnfit) return;
    this.warned = true;
    const what =
      this.trustProxy === 0 ? "have X-Forwarded-For" : "have fewer X-Forwarded-For entries";
    this.warn(`TRUST_PROXY is ${this.trustProxy}, but most of the last ${WINDOW} requests ${what}`);
  }
}
