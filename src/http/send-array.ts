import { setTimeout as pause } from "node:timers/promises";
import type { Response } from "express";

/**
 * Characters that are written at one time. With a pause after each, some 50 MB a second are left for
 * all lists together, and most of the processor for others.
 */
const PIECE = 65_536;

/** Milliseconds that a client may take nothing before it is cut: a long list in memory is one of a few. */
const STALL_TIMEOUT = 3_000;

/** Some elements of an array: JSON with commas between them, and how many bytes that is in UTF-8. */
interface ArrayPart {
  readonly text: string;
  readonly bytes: number;
}

/**
 * Answers with a JSON array whose elements come in parts. Other requests are served between any two
 * pieces of all long lists. Resolves when all is written, or when the client is gone or was cut, which
 * reads less than `Content-Length` then.
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

/** The next moment at which a list goes on, of all lists together: at most one a millisecond. */
const nextTurn = (): Promise<unknown> => (turns = turns.then(() => pause(1)));

/** Where the piece that starts here ends: not between the halves of a character. */
function endOfPiece(text: string, start: number): number {
  const end = start + PIECE;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
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
