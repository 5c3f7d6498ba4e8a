import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ConfigReader } from "./reader";

/**
 * Reads the file that a variable names: GraphQL documents by the SHA-256 of their text. The option
 * `persistedDocuments` of graphql-codegen's client preset writes such files, since its version 6 with the prefix
 * `sha256:`. Undefined if the variable is not set. A file that is not such a list is an issue.
 */
export function readDocumentList(
  reader: ConfigReader,
  name: string,
): ReadonlyMap<string, string> | undefined {
  const file = reader.text(name);
  if (file === undefined) return undefined;
  try {
    return documentsIn(readFileSync(file, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === undefined ? message : `it can't be read (${code})`;
    reader.issue(name, `must be a JSON file of documents by their SHA-256; ${file}: ${reason}`);
    return undefined;
  }
}

/** @throws Error whose message says what is wrong */
function documentsIn(text: string): ReadonlyMap<string, string> {
  const list = parse(text);
  if (typeof list !== "object" || list === null || Array.isArray(list)) {
    throw new Error("the content is no JSON object");
  }
  const documents = Object.entries(list as Record<string, unknown>);
  return new Map(
    documents.map(([name, document]): [string, string] => {
      if (typeof document !== "string") throw new Error(`the document ${name} is no text`);
      const hash = createHash("sha256").update(document).digest("hex");
      if (name === hash || name === `sha256:${hash}`) return [hash, document];
      throw new Error(`${name} is not the SHA-256 of its document (hashAlgorithm: "sha256")`);
    }),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("the content is not JSON");
  }
}
