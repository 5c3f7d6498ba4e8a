import type { ErrorBody, ErrorStatus } from "../http/answer/error-body";
import { SECURITY_HEADERS } from "../http/answer/headers";

const statuses: Readonly<Record<string, ErrorStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** The status for bytes that are not an HTTP request, or that came too slowly. */
export const statusOf = (error: NodeJS.ErrnoException): ErrorStatus =>
  statuses[String(error.code)] ?? 400;

/** An answer in the error shape, as the text that is sent to a client before its connection is closed. */
export function lastAnswer(body: ErrorBody): string {
  const json = JSON.stringify(body);
  return [
    `HTTP/1.1 ${body.statusCode} ${body.error}`,
    ...SECURITY_HEADERS.map(([name, value]) => `${name}: ${value}`),
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(json)}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
    "",
    json,
  ].join("\r\n");
}
