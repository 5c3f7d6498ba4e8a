import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Request, Response } from "express";
import type { ErrorBody, ErrorStatus } from "../http/error-body";
import { securityHeaders } from "../http/headers";

const statuses: Readonly<Record<string, ErrorStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** The status for bytes that are not an HTTP request, or that came too slowly. */
export const statusOf = (error: NodeJS.ErrnoException): ErrorStatus =>
  statuses[error.code ?? ""] ?? 400;

/** An answer in the error shape, as the text that is sent to a client before its connection is closed. */
export function lastAnswer(body: ErrorBody): string {
  const json = JSON.stringify(body);
  return [
    `HTTP/1.1 ${body.statusCode} ${body.error}`,
    ...securityHeaderLines(),
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(json)}`,
    `Date: ${new Date().toUTCString()}`,
    "Connection: close",
    "",
    json,
  ].join("\r\n");
}

/** The security headers as lines; input that is not HTTP never reaches the application, which sets them. */
function securityHeaderLines(): string[] {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  securityHeaders(request as Request, response as Response, () => undefined);
  return response.getHeaderNames().map((name) => `${name}: ${String(response.getHeader(name))}`);
}
