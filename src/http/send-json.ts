import type { Response } from "express";

/**
 * Answers with a value as JSON. Express's own `json` would compare validators that no answer here has, and
 * write the head and a long body in two pieces.
 */
export function sendJson(response: Response, value: unknown, status = 200): void {
  const body = JSON.stringify(value);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", Buffer.byteLength(body));
  response.end(body);
}
