import type { Request, RequestHandler } from "express";
import { IPv4, IPv6 } from "ipaddr.js";

/** Characters of the longest IPv6 address as text: an IPv4-mapped one, written in full. */
const LONGEST_ADDRESS = 45;

const NETWORK_BYTES = 8;

/** An order needs its address twice: for its rate limit and its write context. */
const addresses = new WeakMap<Request, string>();

/**
 * Identifies a client for limits and queues: its IPv4 address, or the /64 network of its IPv6 address,
 * because a client usually has all addresses of that network (RFC 6177). The address comes from the trusted
 * proxies or, if they send no valid one, from the socket.
 */
export function addressOf(request: Request): string {
  let address = addresses.get(request);
  if (address === undefined) {
    address = canonical(request.ip) ?? canonical(request.socket.remoteAddress) ?? "unknown";
    addresses.set(request, address);
  }
  return address;
}

/** Where a request comes from: the client's address, and its User-Agent. */
export const clientOf = (request: Request) => ({
  address: addressOf(request),
  client: request.get("User-Agent"),
});

/** Makes {@link addressOf} work after the client has closed its connection: a socket asks for its address only once. */
export const keepAddress = ({ socket }: Request): string | undefined => socket.remoteAddress;

/** The canonical form of an address or a network; undefined if the text is not an address. */
function canonical(text: string | undefined): string | undefined {
  // A zone is the name of a network interface, as in `fe80::1%eth0`.
  const host = withoutPort(text ?? "").replace(/%.*/s, "");
  if (host.length > LONGEST_ADDRESS) return undefined;
  if (IPv4.isValidFourPartDecimal(host)) return IPv4.parse(host).toString();
  if (!IPv6.isValid(host)) return undefined;
  const address = IPv6.parse(host);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString();
  const network = address.toByteArray().fill(0, NETWORK_BYTES);
  return `${new IPv6(network).toString()}/${NETWORK_BYTES * 8}`;
}

/** The address in `192.0.2.1:80`, `[2001:db8::1]` and `[2001:db8::1]:80`; any other text as it is. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(text) ?? [];
  const [, dotted] = /^([0-9.]*):[0-9]{1,5}$/.exec(text) ?? [];
  return bracketed ?? dotted ?? text;
}

/** How many requests are judged together. A single one proves nothing: a client may send any header. */
const WINDOW = 1000;

/**
 * Watches whether `TRUST_PROXY`, the number of proxies, fits the requests. A request that came through so many
 * proxies has at least as many entries in `X-Forwarded-For`; one that came through none usually has no such header.
 */
export class ProxyWatch {
  /** Whether it did not fit most of the last 1,000 requests that were judged. */
  isUnfit = false;
  private seen = 0;
  private unfit = 0;
  private warned = false;

  /** @param warn is called at most once */
  constructor(
    private readonly trustProxy: number,
    private readonly warn: (message: string) => void,
  ) {}

  readonly handler: RequestHandler = ({ headers }, _response, next) => {
    const header = headers["x-forwarded-for"];
    const entries = header === undefined ? 0 : String(header).split(",").length;
    this.unfit += Number(this.trustProxy === 0 ? entries > 0 : entries < this.trustProxy);
    this.seen += 1;
    if (this.seen === WINDOW) this.judge();
    next();
  };

  private judge(): void {
    this.isUnfit = this.unfit > WINDOW / 2;
    this.seen = this.unfit = 0;
    if (this.warned || !this.isUnfit) return;
    this.warned = true;
    const what =
      this.trustProxy === 0 ? "have X-Forwarded-For" : "have fewer X-Forwarded-For entries";
    this.warn(`TRUST_PROXY is ${this.trustProxy}, but most of the last ${WINDOW} requests ${what}`);
  }
}
