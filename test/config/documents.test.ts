import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { localSettings } from "../../src/config";
import { faultsOf } from "./faults";

describe("GRAPHQL_DOCUMENTS", () => {
  let folder: string;
  beforeAll(() => void (folder = mkdtempSync(path.join(tmpdir(), "documents-"))));
  afterAll(() => rmSync(folder, { recursive: true }));

  const document = "query Names { categories { name } }";
  const sha256 = createHash("sha256").update(document).digest("hex");

  /** What the settings make of a file with this content. */
  const reading = (content: string | Buffer) => {
    const file = path.join(folder, "documents.json");
    writeFileSync(file, content);
    return localSettings({ GRAPHQL_DOCUMENTS: file }).graphql.documents;
  };

  test("names a file of documents by their SHA-256, as graphql-codegen writes it", () => {
    const codegen = JSON.stringify({ [sha256]: document }, null, 2);
    expect(reading(codegen)).toEqual(new Map([[sha256, document]]));
    const prefixed = JSON.stringify({ [`sha256:${sha256}`]: document });
    expect(reading(prefixed)).toEqual(new Map([[sha256, document]]));
    expect(reading("{}")).toEqual(new Map());
    expect(localSettings({}).graphql.documents).toBeUndefined();
  });

  test.each<[string, string, string]>([
    ["nothing", "", "the content is not JSON"],
    ["half a file", `{"${sha256}":"query Na`, "the content is not JSON"],
    ["a list", "[]", "the content is no JSON object"],
    ["null", "null", "the content is no JSON object"],
    ["a document that is none", `{"${sha256}":1}`, `the document ${sha256} is no text`],
    [
      "another document",
      JSON.stringify({ [sha256]: `${document} ` }),
      `${sha256} is not the SHA-256 of its document (hashAlgorithm: "sha256")`,
    ],
    [
      "another algorithm",
      JSON.stringify({ [`sha1:${sha256}`]: document }),
      `sha1:${sha256} is not the SHA-256`,
    ],
  ])("%s is refused", (_label, content, reason) => {
    expect(faultsOf(() => reading(content))).toEqual([
      expect.stringMatching(/^GRAPHQL_DOCUMENTS must be a JSON file of documents/),
    ]);
    expect(faultsOf(() => reading(content))[0]).toContain(reason);
  });

  test("a file that can't be read is refused", () => {
    for (const [file, code] of [
      [path.join(folder, "none.json"), "ENOENT"],
      [folder, "EISDIR"],
    ] as const) {
      expect(faultsOf(() => localSettings({ GRAPHQL_DOCUMENTS: file }))).toEqual([
        `GRAPHQL_DOCUMENTS must be a JSON file of documents by their SHA-256; ${file}: it can't be read (${code})`,
      ]);
    }
  });
});
