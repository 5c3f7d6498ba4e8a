import type { RequestHandler } from "express";
import { pathOf } from "./path-of";

/**
 * Makes a path that can't be percent-decoded decodable, as itself. The router would refuse it before
 * any guard has run; like this it is just a name or an id that nothing has.
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
