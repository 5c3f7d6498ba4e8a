import { PassThrough, Readable } from "node:stream";
import { finished } from "node:stream/promises";

/** Pieces that are read ahead of the slowest receiver. */
const AHEAD = 16;

/** Pieces that are read once and passed to several receivers. The slowest of them sets the pace. */
export class SharedSource {
  private readonly source: Readable;

  /** Ends with the reason of the signal when that is aborted. Nothing is read before a receiver takes pieces. */
  constructor(pieces: AsyncIterable<Buffer>, signal: AbortSignal) {
    signal.throwIfAborted();
    this.source = Readable.from(pieces, { highWaterMark: 1 });
    this.source.setMaxListeners(Infinity); // each receiver has some
    const stop = (): void => void this.source.destroy(signal.reason as Error);
    signal.addEventListener("abort", stop);
    this.source.once("close", () => signal.removeEventListener("abort", stop));
  }

  /** Resolves when all pieces are read, which is before they are received. Rejects with why that failed. */
  end(): Promise<void> {
    return finished(this.source);
  }

  /** Passes the pieces to a receiver, to whom they fail as the source does. */
  async pass(receive: (pieces: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    const pieces = new PassThrough({
      objectMode: true,
      readableHighWaterMark: AHEAD,
      writableHighWaterMark: 1,
    });
    const fail = (error: Error): void => void pieces.destroy(error);
    pieces.on("error", () => undefined); // a receiver that has not begun to take pieces gets it then
    this.source.once("error", fail).pipe(pieces);
    try {
      await receive(pieces);
    } finally {
      this.source.off("error", fail);
      pieces.destroy();
    }
  }
}
