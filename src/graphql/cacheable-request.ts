import { hash } from "node:crypto";
import type { Request } from "express";
import type { Answer, CatalogueCache, CatalogueRead } from "../reads/catalogue-cache";

/**
 * One request, whose answer is cached if it turns out to be a catalogue read. A cached answer is found before anything
 * is parsed: by the method, the `Accept` header, and the bytes of the body or, for a GET, of the query string.
 */
export class CacheableRequest {
  private readonly key: string;
  private read: CatalogueRead | undefined;
  private hasSucceeded = false;

  constructor(
    private readonly cache: CatalogueCache,
    { method, headers }: Request,
    asked: Buffer,
  ) {
    // A line feed can't occur in a header.
    const accept = headers.accept === undefined ? "" : ` accept: ${headers.accept}`;
    const head = Buffer.from(`${method}${accept}\n`);
    this.key = `graphql ${hash("sha256", Buffer.concat([head, asked]), "base64url")}`;
  }

  /** The cached answer, if there is one and it is up to date. */
  async find(): Promise<Answer | undefined> {
    if (!this.cache.has(this.key)) return undefined;
    this.read = await this.cache.begin(this.key);
    return this.read.cached;
  }

  /** Call it before a catalogue read is executed. */
  async begin(): Promise<void> {
    this.read ??= await this.cache.begin(this.key);
  }

  /** Call it when a catalogue read was executed without errors. */
  succeed(): void {
    this.hasSucceeded = this.read !== undefined;
  }

  /** Caches the answer if the catalogue did not change while it was read. */
  async store(answer: Answer): Promise<void> {
    if (this.hasSucceeded) await this.read?.store(answer);
  }
}
