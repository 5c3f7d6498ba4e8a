import type { RequestHandler } from "express";
import { pathOf } from "./path-of";

/**
 * Escapes the percent signs of a path that can't be percent-decoded. The router would refuse such a path
 * before any guard has run; the escaped path is an ordinary one that matches no route.
 */
export const repairPath: RequestHandler = (request, _response, next) => {
  const path = pathOf(request.url);
  if (path.includes("%") && !isDecodable(path)) {
    request.url = path.replaceAll("%", "%25") + request.url.slice(path.length);
  }
  next();
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
