import type { RequestHandler } from "express";
import { TransportError } from "../answer/error-body";

export function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

/** A valid `Host`: a name or an address, and a port (RFC 9110 section 7.2). */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]*$/;

/**
 * Refuses HTTP/1.1 requests that do not have exactly one valid `Host` (RFC 9112 section 3.2), requests whose last
 * transfer coding is not `chunked`, because their end is not known (section 6.3), and requests that expect
 * anything but `100-continue` (RFC 9110 section 10.1.1). Node would accept such requests, refuse them without a
 * body, or notice only after the answer.
 */
export const requireWellFormed: RequestHandler = (request, response, next) => {
  if (request.httpVersion === "1.1") {
    const { host, expect = "100-continue", "transfer-encoding": codings } = request.headers;
    const hosts = request.rawHeaders.filter(
      (name, index) => index % 2 === 0 && name.toLowerCase() === "host",
    );
    if (host === undefined || hosts.length > 1 || !HOST.test(host)) {
      throw new TransportError(400, "Host must name one host");
    }
    if (codings?.toLowerCase().endsWith("chunked") === false) {
      response.set("Connection", "close");
      throw new TransportError(400);
    }
    if (expect.toLowerCase() !== "100-continue") throw new TransportError(417);
  }
  next();
};

/** The most characters of header fields that libraries parse with backtracking regular expressions. */
const LIMITS = { accept: 1024, "content-type": 256 };

/** Refuses longer fields, which no client needs: some libraries take seconds to parse 16 kB of blanks. */
export const limitFields: RequestHandler = ({ headers }, _response, next) => {
  for (const [name, limit] of Object.entries(LIMITS)) {
    if ((headers[name]?.length ?? 0) > limit) throw new TransportError(431);
  }
  next();
};

/**
 * Escapes the percent signs of a path that can't be percent-decoded. The router would refuse such a path before
 * any guard has run. The escaped path is an ordinary one that matches no route.
 */
export const repairPath: RequestHandler = (request, _response, next) => {
  const path = pathOf(request.url);
  if (path.includes("%") && !isDecodable(path)) {
    request.url = path.replaceAll("%", "%25") + request.url.slice(path.length);
  }
  next();
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
