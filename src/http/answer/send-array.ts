import { setTimeout as pause } from "node:timers/promises";
import type { Response } from "express";

/**
 * Characters that are written at a time. With a pause after each piece, all long lists together send about
 * 50 MB a second and leave most of the processor time to other requests.
 */
const PIECE = 65_536;

/**
 * Milliseconds after which a client that reads nothing is cut off: it would keep a place among the few long
 * lists that may be in memory at a time.
 */
const STALL_TIMEOUT = 3_000;

/** Some elements of an array: their JSON, separated by commas, and its length in bytes of UTF-8. */
interface ArrayPart {
  readonly text: string;
  readonly bytes: number;
}

/**
 * Answers with a JSON array whose elements come in parts. Long lists are sent in pieces, and other requests
 * are served in between. Resolves when everything is written, or when the client is gone or was cut off; it
 * has then read fewer bytes than `Content-Length`.
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
      if (response.destroyed) return;
      const end = endOfPiece(text, start);
      const comma = start > 0 ? "" : index > 0 ? "," : "[";
      const takesMore = response.write(comma + text.slice(start, end));
      if (!takesMore && !(await drained(response))) response.destroy();
      else await nextTurn();
      start = end;
    }
  }
  response.end("]");
}

let turns: Promise<unknown> = Promise.resolve();

/** Waits until a list may send its next piece: all lists together send one piece a millisecond. */
const nextTurn = (): Promise<unknown> => (turns = turns.then(() => pause(1)));

/** The end of the piece that begins at `start`, which never splits a surrogate pair. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}

/** Waits until the client has read the data. Returns false if it is gone or has read nothing for too long. */
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
