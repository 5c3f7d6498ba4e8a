import { setTimeout as pause } from "node:timers/promises";
import type { Response } from "express";

/**
 * Characters that are written at a time. With a pause after each piece, all long lists together send some
 * 50 MB a second, and most of the processor is left to other requests.
 */
const PIECE = 65_536;

/**
 * How long a client may read nothing, in milliseconds, before it is cut off: only a few long lists are kept
 * in memory at a time.
 */
const STALL_TIMEOUT = 3_000;

/** Some elements of an array: JSON with commas between them, and how many bytes that is in UTF-8. */
interface ArrayPart {
  readonly text: string;
  readonly bytes: number;
}

/**
 * Answers with a JSON array whose elements come in parts. Long lists are sent in pieces, and other requests
 * are served between them. Resolves when everything is written, or when the client is gone or was cut off;
 * it has then read less than `Content-Length`.
 */
export async function sendArray(response: Response, parts: readonly ArrayPart[]): Promise<void> {
  const commas = Math.max(0, parts.length - 1);
  const length = parts.reduce((sum, { bytes }) => sum + bytes, "[]".length + commas);
  response.set({
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(length),
  });
  if (response.req.method === "HEAD") {
    response.end();
    return;
  }
  if (length <= PIECE) {
    response.end(`[${parts.map(({ text }) => text).join(",")}]`);
    return;
  }
  for (const [index, { text }] of parts.entries()) {
    for (let start = 0; start < text.length;) {
      const end = endOfPiece(text, start);
      const comma = start > 0 ? "" : index > 0 ? "," : "[";
      const takesMore = response.write(comma + text.slice(start, end));
      if (!takesMore && !(await drained(response))) response.destroy();
      else await nextTurn();
      if (response.destroyed) return;
      start = end;
    }
  }
  response.end("]");
}

let turns: Promise<unknown> = Promise.resolve();

/** Waits until a list may send its next piece: all lists together send one a millisecond. */
const nextTurn = (): Promise<unknown> => (turns = turns.then(() => pause(1)));

/** The end of the piece that starts here, which is never between the two halves of a surrogate pair. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}

/** Waits until the client has read what was sent. False if it is gone or has read nothing for too long. */
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
