import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { CatalogueVersion } from "./catalogue-version";

/** Bytes of memory for all answers that are kept, of all databases. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Characters of the longest answer that is kept. */
export const LONGEST_KEPT = 512 * 1024;

/** Memory of an entry besides its text: its key, objects, and its places in the cache's lists. */
const ENTRY_BYTES = 512;

/** The memory of an answer; a text with characters beyond Latin-1 has two bytes for each. */
const sizeOf = ({ text }: Answer): number => 2 * text.length + ENTRY_BYTES;

/** Names the answer of a version: no other answer of any read, database or build has this tag. */
export const tagOf = (version: string, key: string): string =>
  hash("sha256", `${version}\n${key}`, "base64url");

/** A finished answer. */
export interface Answer {
  readonly mediaType: string;
  readonly text: string;
  /** The operation to log for requests with this answer, if the request itself does not name one. */
  readonly operation?: string | undefined;
  /** The operation under which metrics count such requests. */
  readonly countedAs?: string | undefined;
}

/** A read of the catalogue at a version that was current after the request for it arrived. */
export interface CatalogueRead {
  /** The answer of that version, if it is kept. */
  readonly kept: Answer | undefined;
  /** Names the answer of that version; see {@link tagOf}. */
  readonly tag: string;
  /**
   * Keeps an answer that was read after this read began, if the catalogue still has the version of then: so the
   * answer is of that version. Returns whether it is; false if the database fails now.
   */
  keep(answer: Answer): Promise<boolean>;
}

/**
 * Keeps answers of catalogue reads and never gives one that is out of date. The key of a read contains
 * everything that its answer depends on, apart from the catalogue. Each answer is kept with the version of the
 * catalogue that it shows, and is given only if a check that began after the request finds the same version. A
 * newer version drops all answers of the previous version.
 */
export class CatalogueCache {
  private readonly answers: LRUCache<string, Answer>;
  /** The version of all answers that are kept. */
  private version = "";

  /** @param databases the number of databases whose answers are kept, each in a cache of its own */
  constructor(
    private readonly versions: Pick<CatalogueVersion, "current" | "isStill">,
    databases = 1,
  ) {
    this.answers = new LRUCache({
      maxSize: Math.floor(MOST_BYTES / databases),
      maxEntrySize: 2 * LONGEST_KEPT + ENTRY_BYTES,
      sizeCalculation: sizeOf,
    });
  }

  /** Whether an answer is kept under this key. It may be out of date: only {@link begin} finds out. */
  has(key: string): boolean {
    return this.answers.has(key);
  }

  /** Begins a read. Fails if the database fails, even if the answer is kept. */
  async begin(key: string): Promise<CatalogueRead> {
    const version = await this.versions.current();
    this.turnTo(version);
    return {
      kept: this.answers.get(key),
      tag: tagOf(version, key),
      keep: async (answer) => {
        if (!(await this.versions.isStill(version))) return false;
        this.turnTo(version);
        this.answers.set(key, answer);
        return true;
      },
    };
  }

  private turnTo(version: string): void {
    if (version === this.version) return;
    this.answers.clear();
    this.version = version;
  }
}
