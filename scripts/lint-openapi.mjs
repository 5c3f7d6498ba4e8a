// Lints openapi.yaml by Redocly's recommended rules and prints the findings as JSON; what is accepted
// stands in .redocly.lint-ignore.yaml.
import path from "node:path";
import { lint, loadConfig } from "@redocly/openapi-core";

const root = path.dirname(import.meta.dirname);
const config = await loadConfig({ configPath: path.join(root, "redocly.yaml") });
const found = await lint({ ref: path.join(root, "openapi.yaml"), config });
console.log(
  JSON.stringify(found.map(({ ruleId, ignored, message }) => ({ ruleId, ignored, message }))),
);
