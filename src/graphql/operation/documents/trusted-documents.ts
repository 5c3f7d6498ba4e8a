import { hash } from "node:crypto";
import { isOwnDocument, ownDocuments } from "./own-documents";

/** The documents that everybody may send: those of the operator's list, and the service's own. */
export class TrustedDocuments {
  private readonly byHash: ReadonlyMap<string, string>;
  private readonly documents: ReadonlySet<string>;

  /** @param list each document by the SHA-256 of its text, in lower-case hexadecimal digits */
  constructor(list: ReadonlyMap<string, string>) {
    const own = ownDocuments.map((each): [string, string] => [hash("sha256", each, "hex"), each]);
    this.byHash = new Map([...own, ...list]);
    this.documents = new Set(this.byHash.values());
  }

  /** The document with this hash; undefined if there is none. */
  find(sha256: unknown): string | undefined {
    return typeof sha256 === "string" ? this.byHash.get(sha256) : undefined;
  }

  has(document: string): boolean {
    return this.documents.has(document) || isOwnDocument(document);
  }
}
