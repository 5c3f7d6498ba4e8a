import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { buildSchema, findBreakingChanges, printSchema } from "graphql";

const require = createRequire(import.meta.url);

/**
 * The GraphQL schema as the built code says it. Throws where a committed schema has what this one no
 * longer has: clients rely on it, so the schema only grows.
 */
export function schema(root) {
  require("reflect-metadata");
  const { createSchema } = require(path.join(root, "dist/graphql/schema.js"));
  // Printing it calls no resolver, hence no services.
  const generated = `${printSchema(createSchema({}))}\n`;
  const file = path.join(root, "schema.graphql");
  if (existsSync(file)) {
    const breaking = findBreakingChanges(
      buildSchema(readFileSync(file, "utf8")),
      buildSchema(generated),
    );
    if (breaking.length > 0) {
      throw new Error(
        [
          "schema.graphql would break its clients:",
          ...breaking.map((each) => each.description),
        ].join("\n  "),
      );
    }
  }
  return generated;
}
