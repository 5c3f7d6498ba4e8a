import { isIP } from "node:net";
import { isEmailAddress } from "../vocabulary/text/email-address";
import { isConnectionString, isOfOneHost } from "../vocabulary/text/connection-string";
import type { ServerSettings } from "./reader";

/** A format that the text of a variable must have. */
export interface TextForm {
  /** Describes the format, as the continuation of "must be". */
  readonly wanted: string;
  readonly accepts: (text: string) => boolean;
  /** Whether messages may quote a text: it is neither a secret nor has a password in it. */
  readonly isPublic?: true;
}

/** The issue of a text in which, for example, the editor of a file has left a carriage return; undefined if none. */
export const controlIssue = (text: string): string | undefined =>
  /\p{Cc}/u.test(text)
    ? "must have no control characters, such as a carriage return at its end"
    : undefined;

/** The placeholder in `.env.example`; it is public, so it is refused. */
export const EXAMPLE_SECRET = "replace-this-with-32-or-more-random-characters";

const SECRET_MIN_LENGTH = 32;

export const secret: TextForm = {
  wanted: `a secret of at least ${SECRET_MIN_LENGTH} characters that only this deployment uses`,
  accepts: (text) => text.length >= SECRET_MIN_LENGTH && text !== EXAMPLE_SECRET,
};

export const connectionString: TextForm = {
  wanted:
    "a connection string such as postgres://user:password@host:5432/database; of several hosts, separated by commas, the one that takes writes is used (target_session_attrs is read-write or primary)",
  accepts: isConnectionString,
};

export const replicaConnectionString: TextForm = {
  wanted: "a connection string of one host such as postgres://user:password@replica:5432/database",
  accepts: isOfOneHost,
};

/** Takes what {@link normalOrigin} can write as browsers send it: also another letter case, or a slash at the end. */
export const origin: TextForm = {
  wanted: "an origin such as https://shop.example.com",
  accepts: (text) => {
    if (!/^https?:\/\//i.test(text) || text.includes("*") || !URL.canParse(text)) return false;
    const { href, origin } = new URL(text);
    return href === `${origin}/`;
  },
  isPublic: true,
};

/** Passkeys are bound to a name: browsers take none for an address, and for http only that of the own machine. */
export const publicOrigin: TextForm = {
  wanted: "an origin of https with a name such as https://shop.example.com, or http://localhost",
  accepts: (text) => {
    if (!origin.accepts(text)) return false;
    const { protocol, hostname } = new URL(text);
    if (protocol === "http:") return hostname === "localhost";
    return isIP(hostname) === 0 && !hostname.startsWith("[");
  },
  isPublic: true,
};

export const normalOrigin = (text: string): string => new URL(text).origin;

export const headerName: TextForm = {
  wanted: "the name of a request header such as X-Shop-Version",
  accepts: (text) => /^[\w-]+$/.test(text),
  isPublic: true,
};

export const emailAddress: TextForm = { wanted: "an e-mail address", accepts: isEmailAddress };

/** The address in a text `[host:]port`, where IPv6 addresses have brackets; undefined for other texts. */
export function addressOf(text: string): ServerSettings | undefined {
  const colon = text.lastIndexOf(":");
  const digits = text.slice(colon + 1);
  const port = /^[0-9]{1,5}$/.test(digits) ? Number(digits) : Infinity;
  if (port > 65_535) return undefined;
  if (colon < 0) return { port, host: undefined };
  const [, ipv6, name] = /^(?:\[([0-9a-fA-F:.]+)\]|([\w.-]+))$/.exec(text.slice(0, colon)) ?? [];
  const host = ipv6 ?? name;
  return host === undefined ? undefined : { port, host };
}

/** The number of bytes in a text such as `102400`, `100kb` or `1mb`; undefined for other texts, and for none at all. */
export function bytesOf(text: string): number | undefined {
  const [, digits, unit] = /^([0-9]{1,9})(b|kb|mb)?$/i.exec(text) ?? [];
  const factor = { b: 1, kb: 1024, mb: 1024 ** 2 }[unit?.toLowerCase() ?? "b"] ?? 1;
  const bytes = Number(digits) * factor;
  return bytes >= 1 ? bytes : undefined;
}
