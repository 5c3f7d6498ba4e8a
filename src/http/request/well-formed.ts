import type { RequestHandler } from "express";
import { TransportError } from "../answer/error-body";

/** A valid `Host`: a name or an address, and a port (RFC 9110 section 7.2). */
const HOST = /^[\w.~%!$&'()*+,;=:[\]-]*$/;

/**
 * Refuses HTTP/1.1 requests without exactly one valid `Host` (RFC 9112 section 3.2), those whose last transfer
 * coding is not `chunked`, which have no known end (section 6.3), and those that expect anything but
 * `100-continue` (RFC 9110 section 10.1.1). Node would answer them without a body, accept them, or notice
 * after they are answered.
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
