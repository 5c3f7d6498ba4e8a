import type { RequestHandler, Response } from "express";
import { SESSION_POSITION } from "../http/answer/headers";
import { sendJson } from "../http/answer/send-json";
import { operations } from "../services/operations";
import type { RestOperation } from "./routes";
import type { Replicas } from "../reads/replicas";

/** Sends the answer to a change that has been committed. */
export type Reply = (response: Response, body: object, status?: number) => Promise<void>;

/** Answers to changes say, where there are replicas, what their client must see from now on. */
export const replyToChanges =
  (replicas: Replicas | undefined): Reply =>
  async (response, body, status = 200) => {
    const position = await replicas?.afterChange();
    if (position !== undefined) response.set(SESSION_POSITION, position);
    sendJson(response, body, status);
  };

/** Lets a handler read from a replica. If the replica fails, the handler runs once more, at the primary. */
export function reading(
  operation: RestOperation,
  replicas: Replicas | undefined,
  handler: RequestHandler,
): RequestHandler {
  if (!replicas) return handler;
  const hasTag = operations[operation].reads === "catalogue";
  return async (request, response, next) => {
    const turn = await replicas.begin(request.get(SESSION_POSITION), { hasTag });
    if (!turn) {
      await handler(request, response, next);
      return;
    }
    try {
      await handler(request, response, next);
    } catch (error) {
      if (!turn.note(error) || response.headersSent || response.closed) throw error;
      turn.leave();
      await handler(request, response, next);
    }
  };
}
