import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * A signal that is aborted when the client is gone before it has its answer, so that a read for it can be given up.
 * A client that ends its side of the connection counts as gone: browsers and proxies do so when they give up.
 */
export function abandonmentOf({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  if (response.destroyed || socket.readableEnded) return AbortSignal.abort();
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  socket.setMaxListeners(0); // one for each request of a pipeline
  socket.once("end", abort);
  response.once("close", () => {
    socket.off("end", abort);
    if (!response.writableFinished) abort();
  });
  return controller.signal;
}
