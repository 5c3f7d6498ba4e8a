import type { Request } from "express";

// RFC 9110 section 13.1.2. Tags are compared weakly: proxies that compress an answer make its tag weak.

/** Whether `If-None-Match` names this tag. `*` names none. A tag must not be contained in another one. */
export const namesTag = ({ headers }: Request, tag: string): boolean =>
  headers["if-none-match"]?.includes(`"${tag}"`) ?? false;

/** Whether the client wants no answer of which this is the tag; `*` stands for any answer. */
export const hasAnswer = (request: Request, tag: string): boolean =>
  request.headers["if-none-match"]?.trim() === "*" || namesTag(request, tag);
