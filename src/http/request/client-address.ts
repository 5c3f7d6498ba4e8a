import type { Request } from "express";
import { IPv4, IPv6 } from "ipaddr.js";

/** Characters of the longest IPv6 address as text: an IPv4-mapped one, written in full. */
const LONGEST_ADDRESS = 45;

/** The number of bytes of an IPv6 address that name its network. */
const NETWORK_BYTES = 8;

/**
 * Identifies a client for limits and queues: its IPv4 address, or the /64 network of its IPv6 address,
 * because a client usually has all addresses of that network (RFC 6177). The address comes from the trusted
 * proxies or, if they send no valid one, from the socket.
 */
export const addressOf = (request: Request): string =>
  canonical(request.ip) ?? canonical(request.socket.remoteAddress) ?? "unknown";

/** The canonical form of an address or a network; undefined if the text is not an address. */
function canonical(text: string | undefined): string | undefined {
  const host = withoutZone(withoutPort(text ?? ""));
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

/** The address without its zone, which is the name of a network interface, as in `fe80::1%eth0`. */
function withoutZone(host: string): string {
  const zone = host.indexOf("%");
  return zone < 0 ? host : host.slice(0, zone);
}
