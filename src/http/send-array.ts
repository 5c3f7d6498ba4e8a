import { setImmediate } from "node:timers/promises";
import type { Response } from "express";

/** Milliseconds that a client may take nothing before it is cut: a long list in memory is one of a few. */
const STALL_TIMEOUT = 3_000;

/**
 * Answers with a JSON array whose elements come as text, in parts without brackets. Other requests are
 * served between the parts. Resolves when all is written, or when the client is gone or was cut, which
 * reads less than `Content-Length` then.
 */
export async function sendArray(response: Response, parts: readonly string[]): Promise<void> {
  const chunks: Buffer[] = [];
  for (const [index, part] of parts.entries()) {
    chunks.push(Buffer.from(`${index === 0 ? "[" : ","}${part}`));
    await setImmediate();
  }
  chunks.push(Buffer.from(parts.length === 0 ? "[]" : "]"));
  response.set({
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(chunks.reduce((sum, { length }) => sum + length, 0)),
  });
  if (response.req.method === "HEAD") chunks.length = 0;
  for (const chunk of chunks) {
    if (response.destroyed) return;
    if (response.write(chunk)) await setImmediate();
    else if (!(await drained(response))) response.destroy();
  }
  response.end();
}

/** Whether the client takes more; false where it is gone or has taken nothing for too long. */
const drained = (response: Response): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (takesMore: boolean) => () => {
      clearTimeout(limit);
      response.off("drain", onDrain).off("close", onClose);
      resolve(takesMore);
    };
    const [onDrain, onClose] = [settle(true), settle(false)];
    const limit = setTimeout(onClose, STALL_TIMEOUT);
    response.on("drain", onDrain).on("close", onClose);
  });
