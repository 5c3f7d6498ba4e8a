import type { RequestHandler } from "express";
import { TransportError } from "../answer/error-body";

/** The most characters of header fields that libraries parse with backtracking regular expressions. */
const LIMITS = { accept: 1024, "content-type": 256 };

/** Refuses longer fields, which no client needs: some libraries take seconds to parse 16 kB of blanks. */
export const limitFields: RequestHandler = ({ headers }, _response, next) => {
  for (const [name, limit] of Object.entries(LIMITS)) {
    if ((headers[name]?.length ?? 0) > limit) throw new TransportError(431);
  }
  next();
};
