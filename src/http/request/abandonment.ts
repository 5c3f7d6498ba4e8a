import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Milliseconds between two checks whether a client that has ended its side still reads. */
const INTERVAL = 100;

/**
 * A signal that is aborted when the client is gone before it has its answer, so that the work for it can be
 * given up. A client may end its side of the connection and still read; only a write shows whether it does. So
 * such a client gets interim answers (102, RFC 2518 section 10.1), which every HTTP/1.1 client skips (RFC 9110
 * section 15.2). If the client is gone, its system rejects the first one, and writing the second one fails
 * (contract 11.interim).
 */
export function abandonmentOf(request: IncomingMessage, response: ServerResponse): AbortSignal {
  if (response.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  const { socket } = request;
  let questions: NodeJS.Timeout | undefined;
  const onEnd = (): void => {
    if (request.httpVersion !== "1.1") return;
    questions = setInterval(() => {
      if (!response.headersSent) response.writeProcessing();
    }, INTERVAL);
  };
  const forget = onEndOf(socket, onEnd);
  response.once("close", () => {
    clearInterval(questions);
    forget();
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The callbacks for when a client ends its side. One connection may have many requests under way. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Calls back when the client ends its side, or at once if it has. Returns a function that cancels the callback. */
function onEndOf(socket: Socket, callBack: () => void): () => void {
  if (socket.readableEnded) callBack();
  let calls = waiting.get(socket);
  if (!calls) {
    const all = new Set<() => void>();
    socket.once("end", () => all.forEach((call) => call()));
    waiting.set(socket, (calls = all));
  }
  calls.add(callBack);
  return () => calls.delete(callBack);
}
