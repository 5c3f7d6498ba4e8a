import type { ApolloServerOptions } from "@apollo/server";
import type { DocumentNode, Location } from "graphql";
import { LRUCache } from "lru-cache";

type Store = NonNullable<ApolloServerOptions<object>["documentStore"]>;

/** What an entry takes beside its document: its key and its places in the cache's lists. */
const ENTRY_BYTES = 512;

/**
 * Keeps the valid documents that were used last, parsed, up to a number of bytes that they take in memory.
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
    this.documents.set(key, document, { size: ENTRY_BYTES + shrink(document) });
    return Promise.resolve();
  }

  delete(key: string): Promise<boolean> {
    return Promise.resolve(this.documents.delete(key));
  }
}

/**
 * Drops the tokens that a document was parsed from, which are most of its memory; offsets are kept for the
 * locations of errors. Returns the bytes that are left, as an upper bound from V8's layout of objects.
 */
function shrink(document: DocumentNode): number {
  const text = document.loc?.source.body ?? "";
  return 2 * text.length + shrinkValue(document);
}

function shrinkValue(value: unknown): number {
  if (typeof value === "string") return 24 + 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value;
    // An array that grows has places in reserve.
    const places = elements.length === 0 ? 0 : 17 + 1.5 * elements.length;
    return elements.reduce<number>((sum, each) => sum + shrinkValue(each), 48 + 8 * places);
  }
  const node = value as { loc?: Location };
  let bytes = 64;
  for (const [key, member] of Object.entries(node)) {
    bytes += 8;
    if (key !== "loc" && key !== "kind") bytes += shrinkValue(member);
  }
  if (node.loc) {
    const { start, end, source } = node.loc;
    node.loc = { start, end, source } as Location;
    bytes += 56;
  }
  return bytes;
}
