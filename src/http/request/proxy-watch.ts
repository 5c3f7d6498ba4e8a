import type { RequestHandler } from "express";

/** How many of the last requests are judged. A single one proves nothing: a client may send any header. */
const WINDOW = 1000;

/**
 * Watches whether `TRUST_PROXY`, the number of proxies, fits the requests. A request that came through so many
 * proxies has at least as many entries in `X-Forwarded-For`; one that came through none usually has no such header.
 */
export class ProxyWatch {
  /** A ring buffer of the last requests: 1 for each that does not fit, otherwise 0. */
  private readonly unfit = new Uint8Array(WINDOW);
  private seen = 0;
  private count = 0;
  private warned = false;

  /** @param warn is called once, as soon as most of the last requests don't fit */
  constructor(
    private readonly trustProxy: number,
    private readonly warn: (message: string) => void,
  ) {}

  /** Whether most of the last 1,000 requests don't fit; false until there have been so many. */
  get isUnfit(): boolean {
    return this.seen >= WINDOW && this.count > WINDOW / 2;
  }

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
