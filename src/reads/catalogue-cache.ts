import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { SingleFlight } from "./batcher";
import type { CatalogueVersion } from "./catalogue-version";

/** Bytes of memory for all cached answers, of all databases. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Characters of the longest answer that is cached. */
export const LONGEST_CACHED = 1_000_000;

/** Memory of an entry besides its text: its key, objects, and its places in the cache's lists. */
const ENTRY_BYTES = 512;

/** The memory of an answer; a text with characters beyond Latin-1 has two bytes for each. */
const sizeOf = ({ text }: Answer): number => 2 * text.length + ENTRY_BYTES;

/** Names the answer of a version: no other answer of any read, database or build has this tag. */
export const tagOf = (version: string, key: string): string =>
  hash("sha256", `${version}\n${key}`, "base64url");

/** Whether a text names an answer by its tag, in quotation marks. No tag may be contained in another one. */
export const namesTag = (text: string | undefined, tag: string): boolean =>
  text?.includes(`"${tag}"`) ?? false;

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
  /** The answer of that version, if it is cached. */
  readonly cached: Answer | undefined;
  /** Names the answer of that version; see {@link tagOf}. */
  readonly tag: string;
  /**
   * Caches an answer that was read after this read began, if the catalogue still has the version of then: so the
   * answer is of that version. Returns whether it is; false if the database fails now.
   */
  store(answer: Answer): Promise<boolean>;
}

/**
 * Caches answers of catalogue reads and never gives one that is out of date. The key of a read contains everything
 * that its answer depends on, apart from the catalogue. A cached answer is given only if a check that began after the
 * request finds the answer's version. A newer version drops all answers of the previous one.
 */
export class CatalogueCache {
  private readonly answers: LRUCache<string, Answer>;
  /** The version of all cached answers. */
  private version = "";

  /** @param databases the number of databases whose answers are cached, each in a cache of its own */
  constructor(
    private readonly versions: Pick<CatalogueVersion, "current">,
    databases = 1,
  ) {
    this.answers = new LRUCache({
      maxSize: Math.floor(MOST_BYTES / databases),
      maxEntrySize: 2 * LONGEST_CACHED + ENTRY_BYTES,
      sizeCalculation: sizeOf,
    });
  }

  /** Whether an answer is cached under this key. It may be out of date: only {@link begin} finds out. */
  has(key: string): boolean {
    return this.answers.has(key);
  }

  /** Begins a read. Fails if the database fails, even if the answer is cached. */
  async begin(key: string): Promise<CatalogueRead> {
    const version = await this.versions.current();
    this.moveTo(version);
    return {
      cached: this.answers.get(key),
      tag: tagOf(version, key),
      store: async (answer) => {
        const current = await this.versions.current().catch(() => undefined);
        if (current !== version) return false;
        this.moveTo(version);
        this.answers.set(key, answer);
        return true;
      },
    };
  }

  private moveTo(version: string): void {
    if (version === this.version) return;
    this.answers.clear();
    this.version = version;
  }
}

/** A text of the catalogue, and how it is read. */
export interface CatalogueText<Text = string | undefined> {
  /** Contains everything that the text depends on, apart from the catalogue. */
  readonly key: string;
  /** Reads the text; undefined if it is too long to be cached. */
  readonly read: () => Promise<Text>;
  /** Whether requests with this key that wait at the same time share one run of `read`. */
  readonly isShared: boolean;
}

/** The form in which a client wants a text, and what it has already. */
interface Wanted {
  readonly mediaType: string;
  /** Names the answers that the client has; see {@link namesTag}. */
  readonly known: string | undefined;
}

/** An answer, unless the client has it already, and the tag that names it. */
export interface FoundText {
  readonly tag: string;
  readonly answer: Answer | undefined;
}

/** Answers requests for the catalogue of one database, from its cache if it has one. */
export class CatalogueAnswers {
  private readonly flights = new SingleFlight<string | undefined>();

  constructor(private readonly cache: CatalogueCache | undefined) {}

  /**
   * Finds an answer in the cache, or reads and caches it. Returns it with a tag that names it; the tag alone if it is
   * not cached and the client has it; undefined if it is too long to be cached. Fails if the database or `read` fails.
   */
  async of(
    { key, read, isShared }: CatalogueText,
    { mediaType, known }: Wanted,
  ): Promise<FoundText | undefined> {
    const begun = await this.cache?.begin(key);
    if (begun && (begun.cached || namesTag(known, begun.tag))) {
      return { tag: begun.tag, answer: begun.cached };
    }
    const text = await (isShared ? this.flights.run(key, read) : read());
    if (text === undefined) return undefined;
    const answer = { mediaType, text };
    const tag = (await begun?.store(answer)) ? begun?.tag : undefined;
    return { tag: tag ?? hash("sha256", text, "base64url"), answer };
  }
}
