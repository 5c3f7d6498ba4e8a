import type { ApolloServerOptions } from "@apollo/server";
import type { DocumentNode, Location } from "graphql";
import { LRUCache } from "lru-cache";

type Store = NonNullable<ApolloServerOptions<object>["documentStore"]>;

/** Memory of an entry besides its document: its key and its places in the cache's lists. */
const ENTRY_BYTES = 512;

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
    this.documents.set(key, document, { size: ENTRY_BYTES + dropTokens(document) });
    return Promise.resolve();
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.documents.delete(key));
  }
}

/**
 * Drops the tokens that a document was parsed from, which take most of its memory. The offsets stay, for the
 * locations of errors. Returns the bytes of memory that remain: an upper bound, from V8's layout of objects.
 */
const dropTokens = (document: DocumentNode): number =>
  2 * (document.loc?.source.body.length ?? 0) + dropTokensIn(document);

function dropTokensIn(value: unknown): number {
  if (typeof value === "string") return 24 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value;
    // A growing array reserves more slots than it uses.
    const places = elements.length === 0 ? 0 : 17 + 1.5 * elements.length;
    return elements.reduce<number>((sum, each) => sum + dropTokensIn(each), 48 + 8 * places);
  }
  const node = value as { loc?: Location };
  let bytes = 64;
  for (const [key, member] of Object.entries(node)) {
    bytes += 8;
    if (key !== "loc" && key !== "kind") bytes += dropTokensIn(member);
  }
  if (node.loc) {
    const { start, end, source } = node.loc;
    node.loc = { start, end, source } as Location;
    bytes += 56;
  }
  return bytes;
}
