import type { Request } from "express";

const SCHEME = "bearer";

/** The token in `Authorization: Bearer <token>`; the scheme may be in any letter case (RFC 6750 section 2.1). */
export const bearerToken = (request: Request): string | undefined =>
  tokenIn(request.headers.authorization ?? "");

function tokenIn(credentials: string): string | undefined {
  if (credentials.slice(0, SCHEME.length).toLowerCase() !== SCHEME) return undefined;
  let start = SCHEME.length;
  while (credentials[start] === " ") start += 1;
  return start > SCHEME.length && start < credentials.length ? credentials.slice(start) : undefined;
}

/** A caller's trace, as W3C Trace Context names its parts (section 3.2.2). */
export interface Trace {
  /** 32 hexadecimal digits that all requests of one trace share. */
  readonly trace_id: string;
  /** 16 hexadecimal digits: the caller's own step in the trace. */
  readonly parent_id: string;
}

/** Version, trace id, parent id and flags; this is all that version 00 has. */
const VERSION_00_LENGTH = 55;
const FIELDS = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;

/**
 * The trace in a `traceparent` header (W3C Trace Context, section 3.2). Undefined if the header is invalid: its
 * version is ff, an id is all zeros, letters are capital, or it is longer than its version allows. Of later
 * versions, only the parts that version 00 has are read (section 3.2.4).
 */
export function traceOf(header: string): Trace | undefined {
  const [, version, trace_id = "", parent_id = ""] = FIELDS.exec(header) ?? [];
  if (version === undefined || version === "ff") return undefined;
  if (isZero(trace_id) || isZero(parent_id)) return undefined;
  if (header.length === VERSION_00_LENGTH) return { trace_id, parent_id };
  const mayGoOn = version !== "00" && header[VERSION_00_LENGTH] === "-";
  return mayGoOn ? { trace_id, parent_id } : undefined;
}

const isZero = (id: string): boolean => /^0*$/.test(id);
