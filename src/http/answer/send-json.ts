import type { Response } from "express";

export const JSON_TYPE = "application/json; charset=utf-8";

/** Answers with a value as JSON. */
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
