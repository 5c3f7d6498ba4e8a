import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { IPv4, IPv6, parse } from "ipaddr.js";
import { buildConnector } from "undici";
import { WebhookFailure } from "./answer";

/** Finds all addresses of a name. */
export type Lookup = (name: string) => Promise<readonly LookupAddress[]>;

interface Guard {
  readonly isAllowed: (address: string) => boolean;
  readonly lookup: Lookup;
  /** Milliseconds for a connection. */
  readonly timeout: number;
  /** Closes all connections. */
  readonly signal: AbortSignal;
}

/** Milliseconds until the next address of a name is tried as well. */
const NEXT_ADDRESS = 1_000;

/**
 * Connects to allowed addresses only. The addresses are judged here and not when a URL is stored, because a name can
 * have another address by then; a name with both kinds is reached by the allowed ones.
 */
export function guardedConnector({
  isAllowed,
  lookup,
  timeout,
  signal,
}: Guard): buildConnector.connector {
  const allowedOf: LookupFunction = (name, _options, callback) => {
    lookup(name).then(
      (found) => {
        const allowed = found.filter(({ address }) => isAllowed(address));
        if (allowed.length > 0) callback(null, allowed);
        else callback(refusal(found[0]?.address, name), []);
      },
      (error: unknown) => callback(error as Error, []),
    );
  };
  const connect = buildConnector({
    lookup: allowedOf,
    // Also makes Node ask the lookup for all addresses.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS,
    timeout,
    signal,
    rejectUnauthorized: true,
  });
  return (options, callback) => {
    // An address needs no look-up, so the check there is not called.
    if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) {
      process.nextTick(callback, refusal(options.hostname), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      // Checked once more on the connection itself, however its address was chosen.
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && isAllowed(remoteAddress)) {
        callback(null, socket);
        return;
      }
      socket.destroy();
      callback(refusal(remoteAddress, options.hostname), null);
    });
  };
}

function refusal(address: string | undefined, name?: string): WebhookFailure {
  if (address === undefined) return new WebhookFailure("no address");
  const ofName = name === undefined || name === address ? "" : ` of the name ${name}`;
  return new WebhookFailure(`the address ${address}${ofName} is not public`);
}

/**
 * Azure's platform answers at this address of the public space, but each virtual machine reaches its own host
 * there.
 */
const AZURE_PLATFORM = "168.63.129.16";

/**
 * IPv6 networks whose addresses mean the IPv4 address in their last 32 bits: IPv4-mapped addresses, and NAT64, by
 * which a host that has only IPv6 reaches the rest of the internet.
 */
const EMBEDDING = [IPv6.parseCIDR("::ffff:0:0/96"), IPv6.parseCIDR("64:ff9b::/96")];

/** All IPv6 addresses of the public internet are in here, though not all in here are public. */
const GLOBAL_UNICAST = IPv6.parseCIDR("2000::/3");

/**
 * Whether the text is an address of the public internet. False for private, local, shared, reserved and multicast
 * addresses, and for the old ways to wrap an IPv4 address in an IPv6 one, such as 6to4 and Teredo: nobody needs them,
 * and the address inside may be any.
 */
export function isPublic(address: string): boolean {
  const meant = addressMeant(address);
  if (meant === undefined || meant.range() !== "unicast") return false;
  return meant instanceof IPv4 ? meant.toString() !== AZURE_PLATFORM : meant.match(GLOBAL_UNICAST);
}

/** Whether the text is an address of this machine alone, such as 127.0.0.1 or ::1. */
export const isLoopback = (address: string): boolean =>
  addressMeant(address)?.range() === "loopback";

/** The IPv4 address that an IPv6 one embeds, or the address itself; undefined if the text is none. */
function addressMeant(text: string): IPv4 | IPv6 | undefined {
  // ipaddr.js also reads forms such as 0x7f.1, which neither DNS nor sockets give.
  if (isIP(text) === 0) return undefined;
  const address = parse(text);
  if (address instanceof IPv4 || !EMBEDDING.some((network) => address.match(network)))
    return address;
  return new IPv4(address.toByteArray().slice(-4));
}
