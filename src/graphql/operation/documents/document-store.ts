import type { ApolloServerOptions } from "@apollo/server";
import { visit, type DocumentNode } from "graphql";
import { LRUCache } from "lru-cache";

type Store = NonNullable<ApolloServerOptions<object>["documentStore"]>;

/** Bytes of an entry in memory besides its document. */
const ENTRY = 512;
/** Bytes of a document in memory for each byte of its JSON, at most (measured on documents of several shapes: 3.8 to 5). */
const BYTES_IN_MEMORY = 5;

/**
 * Caches the parsed form of the valid documents that were used last, up to a number of bytes in memory.
 * Apollo's own store bounds only the length of their texts.
 */
export class DocumentStore implements Store {
  private readonly documents: LRUCache<string, DocumentNode>;

  constructor(maxBytes: number) {
    this.documents = new LRUCache({ maxSize: maxBytes });
  }

  get(key: string): Promise<DocumentNode | undefined> {
    return Promise.resolve(this.documents.get(key));
  }

  set(key: string, document: DocumentNode): Promise<void> {
    const textBytes = 2 * (document.loc?.source.body.length ?? 0);
    const size = ENTRY + textBytes + BYTES_IN_MEMORY * JSON.stringify(document).length;
    // Most memory is that of the tokens. Errors need the rest of a location.
    visit(document, {
      enter: (node) => {
        if (!node.loc) return;
        const { start, end, source } = node.loc;
        Object.assign(node, { loc: { start, end, source } });
      },
    });
    this.documents.set(key, document, { size });
    return Promise.resolve();
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.documents.delete(key));
  }
}
