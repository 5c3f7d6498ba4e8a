import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);

/** The OpenAPI document as the built code says it. */
export function openapi(root) {
  require("reflect-metadata");
  const { createSchema } = require(path.join(root, "dist/graphql/schema/schema.js"));
  const { openApiDocument } = require(path.join(root, "dist/openapi/index.js"));
  const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  return JSON.stringify(openApiDocument(version, createSchema({})));
}
