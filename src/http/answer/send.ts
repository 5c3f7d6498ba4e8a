import { pipeline } from "node:stream/promises";
import type { Response } from "express";

export const JSON_TYPE = "application/json; charset=utf-8";

export const sendJson = (response: Response, value: unknown, status = 200): void => {
  sendText(response, { mediaType: JSON_TYPE, text: JSON.stringify(value) }, status);
};

/**
 * Answers with a text. Express's own `send` would handle conditional requests by itself, and write the head and a
 * long body in two pieces.
 */
export function sendText(
  response: Response,
  { mediaType, text }: { readonly mediaType: string; readonly text: string },
  status = 200,
): void {
  response.statusCode = status;
  response.setHeader("Content-Type", mediaType);
  response.setHeader("Content-Length", Buffer.byteLength(text));
  response.end(text);
}

/**
 * Answers with a text while its parts are read, as fast as the client takes them. A text that was broken off lacks
 * the last chunk.
 *
 * @throws the errors of `parts`; by then the answer has begun
 */
export async function sendParts(
  response: Response,
  { mediaType, parts }: { readonly mediaType: string; readonly parts: AsyncIterable<string> },
): Promise<void> {
  response.setHeader("Content-Type", mediaType);
  if (response.req.method === "HEAD") {
    response.setHeader("Transfer-Encoding", "chunked").end();
    return;
  }
  await pipeline(parts, response).catch((error: unknown) => {
    // The client is gone.
    if ((error as NodeJS.ErrnoException).code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  });
}
