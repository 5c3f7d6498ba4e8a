import type { RequestHandler } from "express";

/**
 * Handlers as one, which runs them one after another. Each handler of an application takes Express a
 * microsecond or two, which counts where every request passes several small ones. None may be asynchronous.
 */
export const inSequence =
  (...handlers: readonly RequestHandler[]): RequestHandler =>
  (request, response, next) => {
    let done = 0;
    const proceed = (failure?: unknown): void => {
      const handler = failure ? undefined : handlers[done++];
      if (handler) void handler(request, response, proceed);
      else next(failure);
    };
    proceed();
  };
