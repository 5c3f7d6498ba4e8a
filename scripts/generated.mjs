import path from "node:path";
import prettier from "prettier";
import { openapi } from "./openapi.mjs";
import { schema } from "./schema.mjs";

const generators = {
  "openapi.json": openapi,
  "schema.graphql": schema,
};

/** The files that are generated from the code, formatted, by their names. */
export async function generated(root) {
  const texts = {};
  for (const [name, generate] of Object.entries(generators)) {
    const file = path.join(root, name);
    const options = await prettier.resolveConfig(file);
    texts[name] = await prettier.format(generate(root), { ...options, filepath: file });
  }
  return texts;
}
