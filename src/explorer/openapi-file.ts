import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { RequestHandler } from "express";

/** The OpenAPI document, which the build makes of openapi.yaml. The path is the same from `src` and from `dist`. */
const FILE = path.join(__dirname, "../../dist/openapi.json");

/** Serves the OpenAPI document; answers 304 to a client that has it already (contract 9.openapi). */
export function openApiFile(): RequestHandler {
  const text = readFileSync(FILE, "utf8");
  const tag = createHash("sha256").update(text).digest("base64url");
  return (request, response) => {
    response.set({ ETag: `"${tag}"`, "Cache-Control": "no-cache" });
    if (request.fresh) response.status(304).end();
    else response.type("json").send(text);
  };
}
