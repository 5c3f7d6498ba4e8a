import { readFileSync } from "node:fs";
import path from "node:path";
import { newestContracts } from "./frozen.mjs";
import { graphqlChanges } from "./graphql.mjs";
import { openapiBreaks } from "./openapi.mjs";

/**
 * What has changed since the newest release that clients must not meet, as `faults`, and what they may meet, as
 * `notices`. A dangerous change of GraphQL is a notice, and a fault unless the changelog has a line about it.
 * @param texts the contracts as the code says them, by their file names
 */
export async function changesSinceRelease(root, texts) {
  const { version, ...frozen } = newestContracts(root);
  const [before, now] = [frozen, texts].map((each) => each["schema.graphql"]);
  const { breaks, dangers } = await graphqlChanges(before, now);
  const [was, is] = [frozen, texts].map((each) => JSON.parse(each["openapi.json"]));

  const faults = [
    ...breaks.map((each) => `schema.graphql breaks clients of ${version}: ${told(each)}`),
    ...openapiBreaks(was, is).map(
      (each) => `openapi.json breaks clients of ${version}: ${told(each)}`,
    ),
    ...dangers
      .filter(({ where }) => !isNamed(unreleased(root), where))
      .map(({ where }) => `CHANGELOG.md needs a line with ${where} under Unreleased`),
  ];
  return { faults, notices: dangers.map((each) => `schema.graphql, dangerous: ${told(each)}`) };
}

/** @param {{ rule: string, where: string, sentence: string, pointer?: string }} change */
function told({ rule, where, sentence, pointer }) {
  return `${where}: ${sentence} (${[rule, pointer].filter(Boolean).join(", ")})`;
}

/** What the changelog says of the next release. */
function unreleased(root) {
  const changelog = readFileSync(path.join(root, "CHANGELOG.md"), "utf8");
  return /^## \[Unreleased\]$(.*?)(?=^## |(?![\s\S]))/ms.exec(changelog)?.[1] ?? "";
}

/** Whether a text has the path, and not only as a part of a longer one. */
function isNamed(text, where) {
  const words = text.split(/[^\w.]+/).map((word) => word.replace(/\.+$/, ""));
  return words.includes(where);
}
