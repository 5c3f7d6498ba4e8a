import type { Response } from "express";
import { setTimeout as pause } from "node:timers/promises";

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

/**
 * Milliseconds after which a client that reads nothing is cut off. Its list would otherwise hold a transaction
 * open, and its place among the few long lists that are sent at a time.
 */
const STALL_TIMEOUT = 3_000;

/** A long text. */
interface Pieces {
  readonly mediaType: string;
  readonly pieces: AsyncIterable<Buffer>;
  /** The length in bytes; undefined if the end has not been read yet. */
  readonly length: number | undefined;
  /** Milliseconds after which a client that reads nothing is cut off. */
  readonly patience?: number;
}

/**
 * Answers with a long text in pieces, and lets other requests be served in between. Resolves when everything is
 * written, or when the client is gone or was cut off. A client that was cut off can tell by `Content-Length`, or
 * by the missing last chunk.
 *
 * @throws the errors of `pieces`; by then the answer has begun
 */
export async function sendInPieces(
  response: Response,
  { mediaType, pieces, length, patience = STALL_TIMEOUT }: Pieces,
): Promise<void> {
  response.setHeader("Content-Type", mediaType);
  if (length !== undefined) response.setHeader("Content-Length", length);
  if (response.req.method !== "HEAD") {
    for await (const piece of pieces) {
      if (response.destroyed) return;
      const takesMore = response.write(piece);
      if (!takesMore && !(await drained(response, patience))) response.destroy();
      else await nextTurn();
    }
  }
  response.end();
}

let turns: Promise<unknown> = Promise.resolve();

/**
 * Waits until a text may send its next piece: all texts together send one piece a millisecond. With pieces of
 * 64 kB, that is about 50 MB a second, and leaves most of the processor time to other requests.
 */
const nextTurn = (): Promise<unknown> => (turns = turns.then(() => pause(1)));

/** Waits until the client has read the data. Returns false if it is gone or has read nothing for too long. */
const drained = (response: Response, patience: number): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (takesMore: boolean) => () => {
      clearTimeout(limit);
      response.off("drain", onDrain).off("close", onClose);
      resolve(takesMore);
    };
    const [onDrain, onClose] = [settle(true), settle(false)];
    const limit = setTimeout(onClose, patience);
    response.on("drain", onDrain).on("close", onClose);
  });
