import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { RequestHandler } from "express";

/** The committed OpenAPI document, which `npm run contracts` generates. */
const FILE = path.join(__dirname, "../../openapi.json");

/** Serves the OpenAPI document; answers 304 to a client that has it already (contract 9.openapi). */
export function openApiFile(): RequestHandler {
  const text = JSON.stringify(JSON.parse(readFileSync(FILE, "utf8")));
  const tag = createHash("sha256").update(text).digest("base64url");
  return (request, response) => {
    response.set({ ETag: `"${tag}"`, "Cache-Control": "no-cache" });
    if (request.fresh) response.status(304).end();
    else response.type("json").send(text);
  };
}
