import { PassThrough, Readable } from "node:stream";
import { finished } from "node:stream/promises";

/** Pieces that are read ahead of the slowest receiver. */
const AHEAD = 16;

/** Pieces that are read once and passed to several receivers. The slowest of them sets the pace. */
export class SharedSource {
  private readonly source: Readable;

  /** When the signal is aborted, the source fails with its reason. Nothing is read before a receiver takes pieces. */
  constructor(pieces: AsyncIterable<Buffer>, signal: AbortSignal) {
    signal.throwIfAborted();
    this.source = Readable.from(pieces, { highWaterMark: 1 });
    this.source.setMaxListeners(Infinity); // each receiver adds some
    signal.addEventListener("abort", () => this.source.destroy(signal.reason as Error));
  }

  /** Resolves when all pieces are read; they may be received later. Rejects if reading fails. */
  end(): Promise<void> {
    return finished(this.source);
  }

  /** Passes the pieces to a receiver. If the source fails, they fail with its error. */
  async pass(receive: (pieces: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    const pieces = new PassThrough({
      objectMode: true,
      readableHighWaterMark: AHEAD,
      writableHighWaterMark: 1,
    });
    pieces.on("error", () => undefined); // a receiver gets the error when it takes pieces
    this.source.once("error", (error) => pieces.destroy(error)).pipe(pieces);
    try {
      await receive(pieces);
    } finally {
      pieces.destroy();
    }
  }
}
