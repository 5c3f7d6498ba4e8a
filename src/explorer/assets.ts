import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import express, { type RequestHandler } from "express";

const COMPRESSED = ".br";

/**
 * Serves the files of a folder that the build has filled, but not those of its subfolders. A client that accepts
 * brotli gets the compressed form that lies beside a file. A browser may cache a file, but asks each time whether
 * it is still current.
 *
 * @param folder absolute path; if it does not exist, no file is served
 */
export function assets(folder: string): RequestHandler {
  const names = new Set(existsSync(folder) ? readdirSync(folder) : []);
  const plain = express.static(folder, options());
  const compressed = express.static(folder, options("br"));
  const serveAssets: RequestHandler = (request, response, next) => {
    const name = request.path.slice(1);
    if (!names.has(name) || name.endsWith(COMPRESSED)) {
      next();
      return;
    }
    response.vary("Accept-Encoding");
    if (!names.has(name + COMPRESSED) || request.acceptsEncodings("br", "identity") !== "br") {
      plain(request, response, next);
      return;
    }
    request.url = `/${name}${COMPRESSED}`;
    compressed(request, response, next);
  };
  return serveAssets;
}

const options = (encoding?: string): Parameters<typeof express.static>[1] => ({
  cacheControl: false,
  index: false,
  redirect: false,
  setHeaders: (response, file) => {
    response.set({ "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff" });
    if (encoding === undefined) return;
    response.set("Content-Encoding", encoding);
    response.type(path.extname(path.basename(file, COMPRESSED)));
  },
});
