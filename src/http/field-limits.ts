import type { RequestHandler } from "express";
import { TransportError } from "./error-body";

/** Most characters of header fields that libraries read with expressions that search ahead. */
const LIMITS = { accept: 1024, "content-type": 256 };

/** Refuses fields that no client has reason to send: some libraries take seconds over 16 kB of blanks. */
export const limitFields: RequestHandler = ({ headers }, _response, next) => {
  for (const [name, limit] of Object.entries(LIMITS)) {
    if ((headers[name]?.length ?? 0) > limit) throw new TransportError(431);
  }
  next();
};
