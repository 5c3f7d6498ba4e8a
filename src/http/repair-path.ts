import type { RequestHandler } from "express";

/**
 * Makes a path that can't be percent-decoded decodable, as itself. The router would refuse it before
 * any guard has run; like this it is just a name or an id that nothing has.
 */
export const repairPath: RequestHandler = (request, _response, next) => {
  const end = request.url.indexOf("?");
  const path = end < 0 ? request.url : request.url.slice(0, end);
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
