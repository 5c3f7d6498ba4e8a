import type { IncomingMessage, ServerResponse } from "node:http";

/** Milliseconds between two questions whether a client that has ended its side still reads. */
const INTERVAL = 100;

/**
 * A signal that is aborted when the client is gone before it has its answer, so that the work for it can be
 * given up. A client may end its side of the connection and still read, and only a write tells whether it
 * does. So it gets interim answers (102, RFC 2518 section 10.1), which every HTTP/1.1 client skips (RFC 9110
 * section 15.2): the system of a client that is gone rejects the first one, and the second one then fails
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
  if (socket.readableEnded) onEnd();
  else socket.once("end", onEnd);
  response.once("close", () => {
    clearInterval(questions);
    socket.off("end", onEnd);
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
