import { createRequire } from "node:module";
import path from "node:path";
import { printSchema } from "graphql";

const require = createRequire(import.meta.url);

/** The GraphQL schema as the built code says it. */
export function schema(root) {
  require("reflect-metadata");
  const { createSchema } = require(path.join(root, "dist/graphql/schema/schema.js"));
  // Printing it calls no resolver, hence no services.
  return `${printSchema(createSchema({}))}\n`;
}
