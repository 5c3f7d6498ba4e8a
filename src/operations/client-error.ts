import type { Socket } from "node:net";
import { errorBody, type ErrorStatus } from "../http/error-body";

const statuses: Readonly<Record<string, ErrorStatus>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers bytes that are no HTTP request, or came too slowly, in the error shape, and closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const status = statuses[error.code ?? ""] ?? 400;
  const body = errorBody(status);
  const json = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${body.error}`,
      "Content-Type: application/json; charset=utf-8",
      `Content-Length: ${Buffer.byteLength(json)}`,
      "Connection: close",
      "",
      json,
    ].join("\r\n"),
    () => socket.destroy(),
  );
}
