import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { WebhookFault } from "./webhook-fault";

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

function refusal(address: string | undefined, name?: string): WebhookFault {
  if (address === undefined) return new WebhookFault("no address");
  const ofName = name === undefined || name === address ? "" : ` of the name ${name}`;
  return new WebhookFault(`the address ${address}${ofName} is not public`);
}
